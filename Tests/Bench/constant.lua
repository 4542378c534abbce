-- The same GET with every request: for nginx and for us.
dofile(os.getenv("BENCH_FOLDER") .. "/count.lua")
wrk.method, wrk.path = "GET", os.getenv("BENCH_PATH")
for name, value in os.getenv("BENCH_HEADERS"):gmatch("([^\n:]+): ([^\n]*)") do wrk.headers[name] = value end
if os.getenv("BENCH_CLOSES") then wrk.headers["Connection"] = "close" end
