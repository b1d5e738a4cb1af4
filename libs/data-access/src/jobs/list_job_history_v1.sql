-- One page of the history of a job, and its number of events. No row: the job does not exist in the organization and these queues, or its
-- queue is being deleted. One row without an event: the page lies beyond the end.
-- Created, claimed and completed come from the record and the live row; job_history has the rest. A row of job_history about an attempt
-- stands for its claim and its end. Ids are derived from what makes the event unique, so that they are the same on each call, also
-- after the claim of a running attempt has become part of a record. The first event is always `created`, and `completed` the last.
-- A function, because planning the statement takes ten times as long as running it: a session plans it once, and the id and the time of
-- the job select the partitions when the statement starts.
--
-- Input:
--   org
--   wanted              id of the job
--   queues              that the caller may access; null = all
--   ascending           oldest event first
--   page_size, skipped  events of the page, and before it
-- Relies on: the primary keys of jobs, job_queue and queue_deletions, and job_history_job; rows of job_history are not older than their
-- job, which leaves out its older partitions
CREATE OR REPLACE FUNCTION list_job_history_v1(org uuid, wanted uuid, queues text[], ascending boolean, page_size integer, skipped bigint)
  RETURNS TABLE (
    id uuid, event text, at timestamptz, worker_id text, lease_id uuid, attempt integer, actor text, error text, details json, total bigint)
  LANGUAGE plpgsql STABLE SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
  SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off SET enable_material = off
AS $$
#variable_conflict use_column
DECLARE
  since uuid;
BEGIN
  SELECT uuid_at(j.created_at - interval '1 hour') INTO since FROM jobs j WHERE j.organization_id = org AND j.id = wanted;
  RETURN QUERY
  WITH job AS MATERIALIZED (
    SELECT id, organization_id, queue_name, created_at, created_by, scheduled_at, expires_at, started_at, completed_at, outcome, retry_count,
      assigned_worker_id, lease_id, parent_job_id, workflow_id, (SELECT b.id FROM batches b WHERE b.id = j.workflow_id) AS batch_id
    FROM jobs j
    WHERE organization_id = org AND id = wanted AND (queues IS NULL OR queue_name = ANY (queues))
      AND NOT EXISTS (
        SELECT FROM queue_deletions x
        WHERE x.organization_id = org AND x.queue_name = j.queue_name AND j.created_at <= x.deleted_until)
  ), past AS MATERIALIZED (
    SELECT h.*, coalesce((h.details ->> 'will_retry')::boolean, true) AS will_retry
    FROM job_history h
    WHERE organization_id = org AND job_id = wanted AND id >= since
  ), events (id, rank, event, at, worker_id, lease_id, attempt, actor, error, details) AS (
    SELECT md5(wanted::text || ' created')::uuid, 0, 'created', created_at, NULL, NULL::uuid, NULL::integer, created_by, NULL,
      json_strip_nulls(json_build_object('queue_name', queue_name, 'scheduled_at', scheduled_at, 'expires_at', expires_at,
        'parent_job_id', parent_job_id, 'workflow_id', CASE WHEN batch_id IS NULL THEN workflow_id END,
        'batch_id', batch_id))
    FROM job
    UNION ALL
    SELECT md5(wanted::text || ' claimed ' || q.lease_id)::uuid, 2, 'claimed', q.started_at, q.worker_id, q.lease_id, q.retry_count + 1,
      NULL, NULL, NULL
    FROM job CROSS JOIN (
      -- The state as text: otherwise the planner may look through all leased jobs of the organization.
      SELECT * FROM job_queue WHERE organization_id = org AND job_id = wanted AND state::text = 'leased'
    ) AS q
    UNION ALL
    SELECT md5(wanted::text || step.key)::uuid, step.rank, step.event, step.at, assigned_worker_id, lease_id, retry_count + 1, NULL, NULL, NULL
    FROM job CROSS JOIN LATERAL (VALUES
      (' claimed ' || lease_id, 2, 'claimed', started_at), (' completed ' || lease_id, 9, 'completed', completed_at)
    ) AS step(key, rank, event, at)
    WHERE outcome = 'completed'
    UNION ALL
    SELECT md5(wanted::text || ' claimed ' || coalesce(lease_id, id))::uuid, 2, 'claimed', started_at, worker_id, lease_id, attempt, NULL, NULL,
      NULL
    FROM past WHERE started_at IS NOT NULL
    UNION ALL
    -- The completion of a job that was run again afterwards has the id that it had before.
    SELECT CASE WHEN event = 'completed' THEN md5(wanted::text || ' completed ' || lease_id)::uuid ELSE id END,
      CASE WHEN event IN ('activated', 'dependencies_met') THEN 1 WHEN event IN ('retried', 'cancelled') THEN 6 ELSE 3 END, event, at,
      worker_id, lease_id, attempt, actor, error, details
    FROM past
    UNION ALL
    SELECT md5(id || ' deadlettered')::uuid, 4, 'deadlettered', at, worker_id, lease_id, attempt, actor, error, json_build_object('cause', event)
    FROM past WHERE NOT will_retry
  ), numbered AS (
    SELECT *, row_number() OVER (ORDER BY rank = 0 DESC, rank = 9, at, rank, id) AS number FROM events
  ), page AS (
    SELECT * FROM numbered
    ORDER BY CASE WHEN ascending THEN number ELSE -number END LIMIT page_size OFFSET skipped
  )
  SELECT page.id, page.event, page.at, page.worker_id, page.lease_id,
    page.attempt, page.actor, page.error, page.details,
    (SELECT count(*) FROM events)
  FROM job LEFT JOIN page ON true
  ORDER BY CASE WHEN ascending THEN page.number ELSE -page.number END;
END
$$;
