-- The number of the n-th creation of a run: valid, random-looking, and never the same twice within 1,000 runs.
-- 7368787 has no factor in common with 10, so multiplying by it permutes the numbers of nine digits.
local first = tonumber(os.getenv("BENCH_RUN")) * 1000000

function number(n) return string.format("8613%09d", (first + n) * 7368787 % 1000000000) end
