-- Locks jobs that are about to get a child, so that until the commit none of them ends, runs again or is deleted unseen. A live one is
-- locked by its live row, as where it ends; an ended one by its record, as where it is retried (requeue_jobs_v1) or deleted. Records
-- come first, as in requeue_jobs_v1, and both in order of id.
--
-- Input:
--   org
--   parents  those that do not exist are left out
CREATE OR REPLACE FUNCTION lock_parents_v1(org uuid, parents uuid[]) RETURNS void
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  open uuid[] := parents;
  locked uuid[];
BEGIN
  LOOP
    -- Conflicts with FOR UPDATE and DELETE only, not with other children or with updates of the record.
    locked := ARRAY(
      SELECT j.id FROM jobs j WHERE j.organization_id = org AND j.id = ANY (open) AND j.outcome IS NOT NULL
      ORDER BY j.id FOR KEY SHARE);
    locked := locked || ARRAY(
      SELECT q.job_id FROM job_queue q WHERE q.organization_id = org AND q.job_id = ANY (open) ORDER BY q.job_id FOR UPDATE);
    open := ARRAY(SELECT id FROM unnest(open) AS id WHERE NOT id = ANY (locked));
    -- Again only for those that ended between the two statements.
    EXIT WHEN NOT EXISTS (
      SELECT FROM jobs j LEFT JOIN job_queue q ON q.job_id = j.id
      WHERE j.organization_id = org AND j.id = ANY (open) AND (j.outcome IS NOT NULL OR q.job_id IS NOT NULL));
  END LOOP;
END
$$;
