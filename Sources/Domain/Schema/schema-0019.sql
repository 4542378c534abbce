-- A fault's number is a phone number or an email address. All other texts are in `contains`.
UPDATE rules
SET record = json_set(record, '$.contains', substr(json_extract(record, '$.number'), 1, 200), '$.number', NULL)
WHERE kind = 'fault' AND json_extract(record, '$.number') <> ''
  AND (json_extract(record, '$.number') NOT GLOB '+[1-9]*'
    OR substr(json_extract(record, '$.number'), 2) GLOB '*[^0-9]*'
    OR length(json_extract(record, '$.number')) NOT BETWEEN 8 AND 16);
UPDATE rules SET record = json_set(record, '$.number', NULL)
WHERE kind = 'fault' AND json_extract(record, '$.number') = '';

-- A scenario with a number that nothing has never acted. It becomes one that has acted as often as it may.
UPDATE rules SET record = json_set(record, '$.match.number', NULL, '$.times', 1), hits = 1, applied = 1
WHERE kind = 'scenario'
  AND (json_extract(record, '$.match.number') NOT GLOB '?*@?*'
    OR json_extract(record, '$.match.number') GLOB '*[' || char(1) || '-' || char(32) || char(127) || ']*'
    OR json_extract(record, '$.match.number') GLOB '*@*@*')
  AND (json_extract(record, '$.match.number') NOT GLOB '+[1-9]*'
    OR substr(json_extract(record, '$.match.number'), 2) GLOB '*[^0-9]*'
    OR length(json_extract(record, '$.match.number')) NOT BETWEEN 8 AND 16);

-- So does a rule that acts zero times.
UPDATE rules SET record = json_set(record, '$.times', 1), hits = max(hits, 1), applied = 1
WHERE json_extract(record, '$.times') = 0;

-- A delay is an hour at most.
UPDATE rules SET record = json_set(record, '$.latencyMs', 3600000)
WHERE json_extract(record, '$.latencyMs') > 3600000;
