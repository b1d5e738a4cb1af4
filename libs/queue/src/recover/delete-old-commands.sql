-- Deletes what is known of commands that can no longer be run again ($1 = seconds). $2 rows of each table at most.
-- Relies on: command_log_oldest, command_fences_oldest.
WITH logged AS (
  DELETE FROM command_log WHERE (organization_id, command_id) IN (
    SELECT organization_id, command_id FROM command_log WHERE created_at < now() - make_interval(secs => $1)
    ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
  RETURNING 1
), fences AS (
  DELETE FROM command_fences WHERE command_id IN (
    SELECT command_id FROM command_fences WHERE created_at < now() - make_interval(secs => $1)
    ORDER BY created_at LIMIT $2)
  RETURNING 1
)
SELECT greatest((SELECT count(*) FROM logged), (SELECT count(*) FROM fences)) AS forgotten
