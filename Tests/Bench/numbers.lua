-- The number of the n-th creation of a run: valid, random-looking, and never the same twice within 900 runs.
-- 7368787 has no factor in common with 900000000, so multiplying by it permutes the numbers below.
-- The last four digits are never below 1000: such endings make some providers fail on purpose.
local first = tonumber(os.getenv("BENCH_RUN")) * 1000000

function number(n)
  local place = (first + n) * 7368787 % 900000000
  return string.format("8613%05d%d", math.floor(place / 9000), place % 9000 + 1000)
end
