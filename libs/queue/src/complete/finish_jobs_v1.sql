-- Moves completed jobs from the live rows to the records. Both are reached by an array of keys, so that no plan can read more than these
-- rows, and the sets are joined by hash, for which this is a function of its own: row by row, 100 jobs are 10,000 comparisons.
--
-- Input:
--   org
--   moment   of completion
--   held     locked jobs, in order of id
--   numbers  the command of each
--   results  the result of each
-- Output: completed_jobs_v1; done as complete_part_v1 returns it, accepted: commands, parents: jobs with children, called: jobs with a
--   completion webhook
CREATE OR REPLACE FUNCTION finish_jobs_v1(org uuid, moment timestamptz, held uuid[], numbers integer[], results json[])
  RETURNS completed_jobs_v1
  LANGUAGE plpgsql SET enable_hashjoin = on SET enable_nestloop = off SET enable_mergejoin = off
  SET enable_seqscan = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  finished completed_jobs_v1;
BEGIN
  WITH ended AS (
    DELETE FROM job_queue q WHERE q.job_id = ANY (held)
    RETURNING q.job_id, q.queue_name, q.worker_id, q.lease_id, q.lease_expires_at, q.started_at, q.retry_count,
      q.has_dependents, q.last_error, coalesce(q.due_at, q.created_at) AS due, CASE WHEN q.renewed THEN q.lease_id END AS known_lease
  ), record AS (
    UPDATE jobs j SET outcome = 'completed', result = h.result, completed_at = moment, updated_at = moment, started_at = e.started_at,
      retry_count = e.retry_count, last_error = e.last_error, assigned_worker_id = e.worker_id, lease_id = e.lease_id,
      lease_expires_at = e.lease_expires_at
    FROM ended e JOIN unnest(held, numbers, results) AS h(job_id, number, result) ON h.job_id = e.job_id
    -- The range as well: partitions are left out by comparison, not by membership in an array. `held` is in order.
    WHERE j.id = e.job_id AND j.id = ANY (held) AND j.id BETWEEN held[1] AND held[cardinality(held)]
    RETURNING h.number, j.id, e.queue_name, e.started_at, e.due, e.has_dependents, e.known_lease, j.completion_webhook, j.traceparent,
      j.workflow_id
  ), counted AS (
    INSERT INTO job_stats (organization_id, queue_name, hour, slot, completed, wait_ms, run_ms)
    SELECT org, queue_name, date_trunc('hour', moment), counter_slot(), count(*),
      sum(greatest(0, extract(epoch FROM started_at - due) * 1000))::bigint, sum(extract(epoch FROM moment - started_at) * 1000)::bigint
    FROM record GROUP BY queue_name
    ON CONFLICT (organization_id, queue_name, hour, slot) DO UPDATE SET completed = job_stats.completed + excluded.completed,
      wait_ms = job_stats.wait_ms + excluded.wait_ms, run_ms = job_stats.run_ms + excluded.run_ms
  ), worked AS (
    INSERT INTO worker_counts (organization_id, at, failed, workers, jobs)
    SELECT org, moment, false, array_agg(w.worker_id), array_agg(w.jobs)
    FROM (SELECT worker_id, count(*)::integer AS jobs FROM ended GROUP BY worker_id) AS w HAVING count(*) > 0
  )
  SELECT
    json_build_object('number', coalesce(array_agg(number), '{}'), 'id', coalesce(array_agg(id), '{}'),
      'queue', coalesce(array_agg(queue_name), '{}'),
      'duration_ms', coalesce(array_agg((extract(epoch FROM moment - started_at) * 1000)::bigint), '{}'),
      'started_at', coalesce(array_agg(started_at), '{}'),
      'traceparent', CASE WHEN count(traceparent) > 0 THEN array_agg(traceparent) END,
      'workflow', CASE WHEN count(workflow_id) > 0 THEN array_agg(workflow_id) END,
      'lease', CASE WHEN count(known_lease) > 0 THEN array_agg(known_lease) END),
    coalesce(array_agg(number), '{}'), array_agg(id), array_agg(id) FILTER (WHERE has_dependents),
    array_agg(id) FILTER (WHERE completion_webhook IS NOT NULL)
  INTO finished FROM record;
  RETURN finished;
END
$$;
