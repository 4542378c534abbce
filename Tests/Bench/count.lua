-- Prints the figures of a run as one line of JSON. An answer of 400 or above counts as failed.
function done(summary, latency, requests)
  local errors = summary.errors
  print(string.format(
    'BENCH {"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"failed":%d}',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.timeout + errors.status))
end
