-- GET of one resource with credentials, as an SDK would send it: for nginx and for us.
wrk.method = "GET"
wrk.path = os.getenv("BENCH_PATH")
wrk.headers["Authorization"] = os.getenv("BENCH_AUTHORIZATION")
wrk.headers["Accept"] = "application/json"
if os.getenv("BENCH_CLOSES") then wrk.headers["Connection"] = "close" end
dofile(os.getenv("BENCH_FOLDER") .. "/count.lua")
