-- Whether a job is in the part of a list that is being read; null bounds are open. One expression, so that PostgreSQL puts it into the
-- statement that calls it, where it becomes conditions of an index on (created_at, id). The times are compared as rows with an id: a plain
-- comparison of created_at implies the condition of jobs_newest and would offer that index where another is meant.
--
-- Input:
--   created, id             of the job
--   created_after, before   the start is included, the end is not
--   after_time, after_id    of the last job of the previous page
--   end_time, end_id        of the last row that may be read
--   ascending               direction of the list
CREATE OR REPLACE FUNCTION within_page_v1(
  created timestamptz, id uuid, created_after timestamptz, created_before timestamptz, after_time timestamptz, after_id uuid,
  end_time timestamptz, end_id uuid, ascending boolean) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (created_after IS NULL OR (created, id) >= (created_after, '00000000-0000-0000-0000-000000000000'::uuid))
    AND (created_before IS NULL OR (created, id) < (created_before, '00000000-0000-0000-0000-000000000000'::uuid))
    AND (after_time IS NULL OR (ascending AND (created, id) > (after_time, after_id)) OR (NOT ascending AND (created, id) < (after_time, after_id)))
    AND (end_time IS NULL OR (ascending AND (created, id) <= (end_time, end_id)) OR (NOT ascending AND (created, id) >= (end_time, end_id)));
