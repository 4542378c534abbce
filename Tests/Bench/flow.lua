-- The whole flow: create, read the code from the inbox, check. Three requests, two of them writes.
--
-- wrk does not tell a script which connection an answer came from, so a verification is read and checked a
-- window later than it was created, when its creation has long been answered. The Service takes custom codes,
-- so the check knows the code; the read fetches it all the same.
dofile(os.getenv("BENCH_FOLDER") .. "/count.lua")
dofile(os.getenv("BENCH_FOLDER") .. "/numbers.lua")
local base, inbox = os.getenv("BENCH_PATH"), "/control/inbox"
local headers = {}
for name, value in os.getenv("BENCH_HEADERS"):gmatch("([^\n:]+): ([^\n]*)") do headers[name] = value end
-- wrk asks once for a request that it never sends, so number 1 does not exist.
local window, created, checked, step = 512, 0, 1, 0

function request()
  if step == 0 or created < window then
    created = created + 1
    if created > window then step = 1 end
    return wrk.format(
      "POST", base .. "/Verifications", headers,
      "To=%2B" .. number(created) .. "&Channel=sms&CustomCode=271828")
  elseif step == 1 then
    step = 2
    return wrk.format("GET", inbox .. "/+" .. number(checked + 1) .. "/latest/code")
  end
  step = 0
  checked = checked + 1
  return wrk.format("POST", base .. "/VerificationCheck", headers, "To=%2B" .. number(checked) .. "&Code=271828")
end
