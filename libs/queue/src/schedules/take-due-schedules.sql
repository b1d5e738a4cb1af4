/* @name takeDueSchedules */
-- Moves due schedules on to their next time, and returns the ids of those that are ours to fire: each only if it is still as it
-- was read, so that of any number of schedulers one fires it (MQ-23). One that somebody else is just changing is left for later.
-- :schedules [{id, due, changed, next | null}]. Index: primary key.
WITH mine AS MATERIALIZED (
  SELECT s.id, read.next
  FROM json_to_recordset(:schedules!::json) AS read(id uuid, due timestamptz, changed timestamptz, next timestamptz)
  JOIN schedules s ON s.id = read.id
  WHERE s.is_active AND s.next_run_at = read.due AND s.updated_at = read.changed
  FOR NO KEY UPDATE OF s SKIP LOCKED
)
UPDATE schedules s SET next_run_at = mine.next FROM mine WHERE s.id = mine.id
RETURNING s.id;
