-- Workshops: named sets of sandboxes whose participants solve the tasks of a story.
-- Times are on the clock of the default sandbox.

CREATE TABLE workshops (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  story TEXT NOT NULL,
  flavour TEXT NOT NULL,
  -- The tasks as they were when the workshop was created.
  tasks TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- Sandboxes are named, because a reset gives a sandbox another id.
CREATE TABLE participants (
  workshop INTEGER NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  sandbox_name TEXT NOT NULL UNIQUE,
  phrase TEXT NOT NULL UNIQUE,
  note TEXT NOT NULL DEFAULT '',
  -- The current task, and how many of its steps have happened.
  task INTEGER NOT NULL DEFAULT 0,
  step INTEGER NOT NULL DEFAULT 0,
  -- The newest ordinal of the sandbox when the step began.
  seen INTEGER NOT NULL DEFAULT 0,
  -- Records of subscribers from before the current task.
  undo TEXT NOT NULL DEFAULT '[]',
  active_at INTEGER,
  PRIMARY KEY (workshop, position),
  UNIQUE (workshop, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE task_results (
  workshop INTEGER NOT NULL,
  position INTEGER NOT NULL,
  task INTEGER NOT NULL,
  why TEXT,
  done_at INTEGER,
  PRIMARY KEY (workshop, position, task),
  FOREIGN KEY (workshop, position) REFERENCES participants (workshop, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
