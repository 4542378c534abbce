-- Who added a rule: see `RuleOrigin`.
ALTER TABLE rules ADD COLUMN origin TEXT NOT NULL DEFAULT 'control';

-- In a workshop, most rules are those of the current task.
UPDATE rules SET origin = 'task'
WHERE sandbox IN (SELECT s.id FROM sandboxes AS s JOIN participants AS p ON p.sandbox_name = s.name);

-- A result begins when the participant can begin with the task; NULL for those of earlier versions.
ALTER TABLE task_results ADD COLUMN opened_at INTEGER;
ALTER TABLE task_results ADD COLUMN tried INTEGER NOT NULL DEFAULT 1;
-- 1 if `why` is about a failure on purpose.
ALTER TABLE task_results ADD COLUMN on_purpose INTEGER NOT NULL DEFAULT 0;
