-- Manual moves: cancel, and back to pending from a dead letter. One organization, set by the caller's transaction.

-- Cancels live jobs that no worker holds (rows locked by this call). Returns {cancelled: [{id, queue, old}]}, children included.
CREATE FUNCTION cancel_jobs_v1(org uuid, ids uuid[], reason text) RETURNS jsonb
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  moment timestamptz := statement_timestamp();
  cancelled jsonb;
  parents uuid[];
BEGIN
  WITH held AS MATERIALIZED (
    SELECT job_id FROM job_queue WHERE organization_id = org AND job_id = ANY (ids) AND state <> 'leased' ORDER BY job_id FOR UPDATE
  ), gone AS (
    DELETE FROM job_queue q USING held h WHERE q.job_id = h.job_id
    RETURNING q.job_id, q.queue_name, q.state, q.retry_count, q.has_dependents, q.last_error
  ), record AS (
    UPDATE jobs j SET outcome = 'cancelled', completed_at = moment, updated_at = moment, retry_count = g.retry_count,
      last_error = coalesce(reason, g.last_error)
    FROM gone g WHERE j.id = g.job_id
  ), counted AS (
    INSERT INTO job_stats (organization_id, queue_name, hour, slot, cancelled)
    SELECT org, queue_name, date_trunc('hour', moment), counter_slot(), count(*) FROM gone GROUP BY queue_name
    ON CONFLICT (organization_id, queue_name, hour, slot) DO UPDATE SET cancelled = job_stats.cancelled + excluded.cancelled
  )
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', job_id, 'queue', queue_name,
      'old', CASE state WHEN 'scheduled' THEN 'scheduled' ELSE 'pending' END)), '[]'),
    array_agg(job_id) FILTER (WHERE has_dependents)
  INTO cancelled, parents FROM gone;
  IF parents IS NOT NULL THEN
    cancelled := cancelled || cancel_dependents_v1(org, parents);
  END IF;
  RETURN jsonb_build_object('now', moment, 'cancelled', cancelled);
END
$$;

-- Puts failed and dead-lettered jobs back to pending, as new: no attempts, no error, no result. Counts against the plan like new
-- jobs (SQLSTATE SPQ01 when they do not fit). Returns {now, revived: [{id, queue, old}]}.
CREATE FUNCTION revive_jobs_v1(org uuid, ids uuid[], quota json) RETURNS jsonb
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  moment timestamptz := statement_timestamp();
  found uuid[];
  revived jsonb;
BEGIN
  SELECT coalesce(array_agg(held.id), '{}') INTO found FROM (
    SELECT j.id FROM jobs j WHERE j.organization_id = org AND j.id = ANY (ids) AND j.outcome IN ('failed', 'deadletter')
    ORDER BY j.id FOR UPDATE
  ) AS held;
  IF quota IS NOT NULL AND cardinality(found) > 0 THEN
    PERFORM check_job_quota_v1(org, quota, cardinality(found), '{}');
  END IF;
  WITH old AS MATERIALIZED (
    SELECT id, outcome FROM jobs WHERE id = ANY (found)
  ), record AS (
    UPDATE jobs j SET outcome = NULL, retry_count = 0, last_error = NULL, result = NULL, scheduled_at = NULL, started_at = NULL,
      completed_at = NULL, assigned_worker_id = NULL, lease_id = NULL, lease_expires_at = NULL, updated_at = moment
    WHERE j.id = ANY (found)
    RETURNING j.id, j.queue_name, j.priority, j.max_retries, j.created_at, j.expires_at
  ), live AS (
    INSERT INTO job_queue (job_id, organization_id, queue_name, state, priority, max_retries, created_at, expires_at, has_dependents)
    SELECT r.id, org, r.queue_name, 'ready', r.priority, r.max_retries, r.created_at,
      CASE WHEN r.expires_at > moment THEN r.expires_at END,
      EXISTS (SELECT FROM job_dependencies d WHERE d.depends_on_job_id = r.id)
    FROM record r ON CONFLICT DO NOTHING
  ), letters AS (
    DELETE FROM dead_letters WHERE job_id = ANY (found)
  ), written AS (
    INSERT INTO job_history (organization_id, job_id, at, event) SELECT org, id, moment, 'retried_by_hand' FROM record
  ), used AS (
    INSERT INTO usage_counters (organization_id, day, slot, jobs_created)
    SELECT org, (now() AT TIME ZONE 'UTC')::date, counter_slot(), count(*) FROM record HAVING count(*) > 0
    ON CONFLICT (organization_id, day, slot) DO UPDATE SET jobs_created = usage_counters.jobs_created + excluded.jobs_created
  )
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'queue', r.queue_name, 'old', o.outcome)), '[]') INTO revived
  FROM record r JOIN old o ON o.id = r.id;
  RETURN jsonb_build_object('now', moment, 'revived', revived);
END
$$;
