-- Creates a verification for another number with every request: one durable write each.
dofile(os.getenv("BENCH_FOLDER") .. "/count.lua")
local path = os.getenv("BENCH_PATH")
local headers = {
  ["Authorization"] = os.getenv("BENCH_AUTHORIZATION"),
  ["Content-Type"] = "application/x-www-form-urlencoded",
}
-- Each run has valid numbers of its own: +86 13 RRR NNNNNN.
local prefix = "To=%2B8613" .. os.getenv("BENCH_RUN")
local count = 0

function request()
  count = count + 1
  return wrk.format("POST", path, headers, prefix .. string.format("%06d", count) .. "&Channel=sms")
end
