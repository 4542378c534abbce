-- A creation for another number with every request. In the body, {number} stands for the number's digits.
dofile(os.getenv("BENCH_FOLDER") .. "/count.lua")
dofile(os.getenv("BENCH_FOLDER") .. "/numbers.lua")
local path, body = os.getenv("BENCH_PATH"), os.getenv("BENCH_BODY")
local headers = {}
for name, value in os.getenv("BENCH_HEADERS"):gmatch("([^\n:]+): ([^\n]*)") do headers[name] = value end
local count = 0

function request()
  count = count + 1
  return wrk.format("POST", path, headers, (body:gsub("{number}", number(count))))
end
