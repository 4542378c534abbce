-- Creates a verification for another number with every request: one durable write each.
dofile(os.getenv("BENCH_FOLDER") .. "/count.lua")
local path = os.getenv("BENCH_PATH")
local headers = {
  ["Authorization"] = os.getenv("BENCH_AUTHORIZATION"),
  ["Content-Type"] = "application/x-www-form-urlencoded",
}
-- Each run has numbers of its own: +1 RRR NNNNNNN.
local prefix = "To=%2B1" .. os.getenv("BENCH_RUN")
local count = 0

function request()
  count = count + 1
  return wrk.format("POST", path, headers, prefix .. string.format("%07d", count) .. "&Channel=sms")
end
