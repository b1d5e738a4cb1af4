/* @name deleteOldCommands */
-- Deletes what is known of commands that can no longer be run again; :limit rows of each table. The rows are deleted by their addresses,
-- for which there is one plan only; a row that is just updated gets another one and is left for the next run.
-- Relies on: command_log_oldest, command_fences_oldest, deleted_jobs_oldest.
WITH logged AS (
  DELETE FROM command_log WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM command_log WHERE created_at < current_ts() - make_interval(secs => :keptSeconds!)
    ORDER BY created_at LIMIT :limit! FOR UPDATE SKIP LOCKED))
  RETURNING 1
), fences AS (
  DELETE FROM command_fences WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM command_fences WHERE created_at < current_ts() - make_interval(secs => :keptSeconds!)
    ORDER BY created_at LIMIT :limit!))
  RETURNING 1
), jobs AS (
  DELETE FROM deleted_jobs WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM deleted_jobs WHERE created_at < current_ts() - make_interval(secs => :keptSeconds!)
    ORDER BY created_at LIMIT :limit! FOR UPDATE SKIP LOCKED))
  RETURNING 1
)
SELECT greatest((SELECT count(*) FROM logged), (SELECT count(*) FROM fences), (SELECT count(*) FROM jobs)) AS "forgotten!";
