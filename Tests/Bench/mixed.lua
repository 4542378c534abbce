-- Testers take turns, one in each sandbox: create, read the code, check, fetch the Service. Each line of the body is a
-- tester's path and Authorization. There are more testers than connections, so all but the last requests are answered.
dofile(os.getenv("BENCH_FOLDER") .. "/count.lua")
dofile(os.getenv("BENCH_FOLDER") .. "/numbers.lua")
-- wrk asks once for a request that it never sends.
local testers, turn, step = {}, nil, 0
for prefix, service, authorization in os.getenv("BENCH_BODY"):gmatch("(%S+) (%S+) ([^\n]+)") do
  local headers = {["Authorization"] = authorization, ["Content-Type"] = "application/x-www-form-urlencoded"}
  table.insert(testers, {prefix = prefix, service = prefix .. service, headers = headers})
end

function request()
  turn = turn and turn + 1 or 0
  if turn == 0 then return wrk.format("GET", testers[1].service) end
  if turn > #testers then turn, step = 1, step + 1 end
  local tester, to = testers[turn], number(1 + math.floor(step / 4))
  if step % 4 == 0 then
    local form = "To=%2B" .. to .. "&Channel=sms&CustomCode=271828"
    return wrk.format("POST", tester.service .. "/Verifications", tester.headers, form)
  elseif step % 4 == 1 then
    return wrk.format("GET", tester.prefix .. "/control/inbox/+" .. to .. "/latest/code")
  elseif step % 4 == 2 then
    return wrk.format("POST", tester.service .. "/VerificationCheck", tester.headers, "To=%2B" .. to .. "&Code=271828")
  end
  return wrk.format("GET", tester.service, tester.headers)
end
