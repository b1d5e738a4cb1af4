-- What the end of a job means for the jobs that wait for it. Called inside the transaction that ends it (SP-49, SP-50).

-- Unblocks the children of completed jobs: mode `any` at once, mode `all` when no parent is left unfinished.
-- Returns [{id, queue}]. Locks first and looks in a later statement: two parents that complete at the same moment would
-- otherwise each see the other unfinished and leave the child blocked for ever.
CREATE FUNCTION release_dependents_v1(org uuid, completed uuid[]) RETURNS jsonb
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  waiting uuid[];
  released jsonb;
BEGIN
  SELECT array_agg(child.job_id) INTO waiting FROM (
    SELECT q.job_id FROM job_queue q
    WHERE q.organization_id = org AND NOT q.dependencies_met
      AND q.job_id IN (SELECT d.job_id FROM job_dependencies d WHERE d.depends_on_job_id = ANY (completed))
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
  )
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', job_id, 'queue', queue_name)), '[]') INTO released FROM freed;
  RETURN released;
END
$$;

-- Cancels the blocked children of jobs that failed or were cancelled, and theirs in turn: mode `all` at once, mode `any` when no
-- parent can complete any more. Returns [{id, queue, old}].
CREATE FUNCTION cancel_dependents_v1(org uuid, ended uuid[]) RETURNS jsonb
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  moment timestamptz := statement_timestamp();
  parents uuid[] := ended;
  waiting uuid[];
  level jsonb;
  cancelled jsonb := '[]';
BEGIN
  WHILE parents IS NOT NULL LOOP
    SELECT array_agg(child.job_id) INTO waiting FROM (
      SELECT q.job_id FROM job_queue q
      WHERE q.organization_id = org AND NOT q.dependencies_met
        AND q.job_id IN (SELECT d.job_id FROM job_dependencies d WHERE d.depends_on_job_id = ANY (parents))
      ORDER BY q.job_id FOR UPDATE
    ) AS child;
    EXIT WHEN waiting IS NULL;
    WITH hopeless AS (
      SELECT c.id FROM jobs c
      WHERE c.id = ANY (waiting) AND (
        c.dependency_mode IS DISTINCT FROM 'any'
        OR NOT EXISTS (
          SELECT FROM job_dependencies d JOIN jobs p ON p.id = d.depends_on_job_id
          WHERE d.job_id = c.id AND (p.outcome IS NULL OR p.outcome = 'completed')
        )
      )
    ), gone AS (
      DELETE FROM job_queue q USING hopeless h WHERE q.job_id = h.id
      RETURNING q.job_id, q.queue_name, q.state, q.retry_count
    ), record AS (
      UPDATE jobs j SET outcome = 'cancelled', completed_at = moment, updated_at = moment,
        retry_count = gone.retry_count, last_error = 'A job that this one depends on did not complete'
      FROM gone WHERE j.id = gone.job_id
    ), counted AS (
      INSERT INTO job_stats (organization_id, queue_name, hour, slot, cancelled)
      SELECT org, queue_name, date_trunc('hour', moment), counter_slot(), count(*) FROM gone GROUP BY queue_name
      ON CONFLICT (organization_id, queue_name, hour, slot) DO UPDATE SET cancelled = job_stats.cancelled + excluded.cancelled
    )
    SELECT array_agg(job_id), coalesce(jsonb_agg(jsonb_build_object(
      'id', job_id, 'queue', queue_name, 'old', CASE state WHEN 'scheduled' THEN 'scheduled' ELSE 'pending' END)), '[]')
    INTO parents, level FROM gone;
    cancelled := cancelled || level;
  END LOOP;
  RETURN cancelled;
END
$$;
