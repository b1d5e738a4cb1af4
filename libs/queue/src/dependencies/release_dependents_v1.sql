-- Unblocks the children of completed jobs, inside the transaction that completes them (SP-49): mode `any` at once, mode `all` when no
-- parent is left unfinished. Locks first and reads in a later statement: two parents that complete at the same moment would otherwise
-- each see the other unfinished and leave the child blocked.
--
-- Input:
--   org
--   completed  jobs that may have children
-- Output: [{id, queue}] of the unblocked children
CREATE OR REPLACE FUNCTION release_dependents_v1(org uuid, completed uuid[]) RETURNS jsonb
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  waiting uuid[];
  released jsonb;
BEGIN
  SELECT array_agg(child.job_id) INTO waiting FROM (
    SELECT q.job_id FROM job_queue q
    WHERE q.organization_id = org AND NOT q.dependencies_met
      AND q.job_id = ANY (ARRAY(SELECT d.job_id FROM job_dependencies d WHERE d.depends_on_job_id = ANY (completed)))
    ORDER BY q.job_id FOR UPDATE
  ) AS child;
  IF waiting IS NULL THEN
    RETURN '[]';
  END IF;
  WITH met AS (
    SELECT c.id FROM jobs c
    WHERE c.id = ANY (waiting) AND (
      c.dependency_mode = 'any'
      OR NOT EXISTS (
        SELECT FROM job_dependencies d LEFT JOIN jobs p ON p.id = d.depends_on_job_id
        WHERE d.job_id = c.id AND p.outcome IS DISTINCT FROM 'completed'
      )
    )
  ), freed AS (
    UPDATE job_queue q SET dependencies_met = true FROM met WHERE q.job_id = met.id
    RETURNING q.job_id, q.queue_name
  ), past AS (
    INSERT INTO job_history (organization_id, job_id, at, event, actor)
    SELECT org, job_id, current_ts(clock_timestamp()), 'dependencies_met',
      coalesce(nullif(current_setting('app.actor', true), ''), 'system dependencies')
    FROM freed
  )
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', job_id, 'queue', queue_name)), '[]') INTO released FROM freed;
  RETURN released;
END
$$;
