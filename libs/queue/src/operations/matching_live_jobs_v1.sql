-- The live jobs that no worker holds and that an operation takes: of a queue, of a batch, or of a list of ids. The only declaration of its filter; the
-- planner inlines it into its statement. Relies on: job_queue_claim, job_queue_waiting and job_queue_blocked, which together have each job
-- of a queue, batch_jobs_page, and the primary key of job_queue for ids. Read by index, jobs of a queue come in this order: ready ones, those
-- that wait for their time, those that wait for others; each in the order of its index, those of a batch in that of their ids.
--
-- Input:
--   org
--   scope          queues that the caller may use; empty = all
--   filter         {queue_name?, job_ids?, batch_id?, status?, q?, job_type?, tag?, created_after?, created_before?, terms?, other_priority_than?,
--                  waits_for_time?, other_queue_than?, after?}; absent = any, but without queue_name, batch_id and job_ids it selects nothing;
--                  created_before exclusive, q, job_type, tag and terms as in lists of jobs (job_matches_v1, job_meets_terms_v1);
--                  after: without the jobs up to this place in the order above; not for job_ids
--   created_until  those that were created later are left alone
CREATE OR REPLACE FUNCTION matching_live_jobs_v1(org uuid, scope text[], filter jsonb, created_until timestamptz)
  RETURNS TABLE (job_id uuid, created_at timestamptz, place jsonb)
  LANGUAGE sql STABLE
AS $$
  SELECT q.job_id, q.created_at, jsonb_build_object(
    'part', CASE WHEN NOT q.dependencies_met THEN 'blocked' WHEN q.state = 'ready' THEN 'ready' ELSE 'waiting' END,
    'priority', q.priority, 'at', CASE WHEN q.state = 'ready' THEN q.created_at ELSE q.due_at END, 'job_id', q.job_id)
  FROM (
    SELECT w.* FROM job_queue w
    WHERE organization_id = org AND queue_name = filter ->> 'queue_name' AND state = 'ready' AND dependencies_met
      AND filter ->> 'job_ids' IS NULL AND filter ->> 'waits_for_time' IS NULL
      AND filter #>> '{after,part}' = 'ready' AND priority = (filter #>> '{after,priority}')::smallint
      AND (created_at, job_id) > ((filter #>> '{after,at}')::timestamptz, (filter #>> '{after,job_id}')::uuid)
    UNION ALL
    SELECT w.* FROM job_queue w
    WHERE organization_id = org AND queue_name = filter ->> 'queue_name' AND state = 'ready' AND dependencies_met
      AND filter ->> 'job_ids' IS NULL AND filter ->> 'waits_for_time' IS NULL
      AND (filter ->> 'after' IS NULL
        OR (filter #>> '{after,part}' = 'ready' AND priority < (filter #>> '{after,priority}')::smallint))
    UNION ALL
    SELECT w.* FROM job_queue w
    WHERE organization_id = org AND queue_name = filter ->> 'queue_name' AND state IN ('scheduled', 'retrying') AND dependencies_met
      AND filter ->> 'job_ids' IS NULL
      AND (filter ->> 'after' IS NULL OR filter #>> '{after,part}' = 'ready' OR (filter #>> '{after,part}' = 'waiting'
        AND (due_at, job_id) > ((filter #>> '{after,at}')::timestamptz, (filter #>> '{after,job_id}')::uuid)))
    UNION ALL
    SELECT w.* FROM job_queue w
    WHERE organization_id = org AND queue_name = filter ->> 'queue_name' AND NOT dependencies_met AND state <> 'leased'
      AND filter ->> 'job_ids' IS NULL
      AND (filter ->> 'after' IS NULL OR filter #>> '{after,part}' <> 'blocked' OR job_id > (filter #>> '{after,job_id}')::uuid)
    UNION ALL
    SELECT w.* FROM job_queue w
    WHERE organization_id = org AND state <> 'leased' AND (filter ->> 'queue_name' IS NULL OR queue_name = filter ->> 'queue_name')
      AND w.job_id = ANY (ARRAY(SELECT x::uuid FROM jsonb_array_elements_text(nullif(filter -> 'job_ids', 'null')) AS x))
    UNION ALL
    -- Member by member: joined freely, the planner reads all live jobs of all tenants for a batch that has most of them.
    SELECT w.*
    FROM (
      SELECT m.job_id FROM batch_jobs m
      WHERE m.organization_id = org AND m.batch_id = (filter ->> 'batch_id')::uuid AND m.outcome IS NULL
        AND (filter ->> 'after' IS NULL OR m.job_id > (filter #>> '{after,job_id}')::uuid)
      ORDER BY m.outcome, m.job_id
    ) AS m CROSS JOIN LATERAL (
      SELECT * FROM job_queue l WHERE l.job_id = m.job_id AND l.organization_id = org AND l.state <> 'leased' LIMIT 1
    ) AS w
  ) AS q
  WHERE q.created_at <= created_until
    AND (scope = '{}' OR q.queue_name = ANY (scope))
    AND (filter ->> 'other_queue_than' IS NULL OR q.queue_name <> filter ->> 'other_queue_than')
    AND (filter ->> 'status' IS NULL OR (q.state = 'scheduled') = (filter ->> 'status' = 'scheduled'))
    AND (filter ->> 'other_priority_than' IS NULL OR q.priority <> (filter ->> 'other_priority_than')::smallint)
    -- Without jobs that have failed since: they wait for their next attempt, and the operation would use up their retries.
    AND (filter ->> 'waits_for_time' IS NULL OR (q.state IN ('scheduled', 'retrying') AND NOT EXISTS (
      SELECT FROM job_history h
      WHERE h.job_id = q.job_id AND h.organization_id = org AND h.at > created_until AND h.attempt IS NOT NULL
        -- Leaves out older partitions.
        AND h.id > uuid_at(created_until - interval '1 hour'))))
    AND (filter ->> 'created_before' IS NULL OR q.created_at < (filter ->> 'created_before')::timestamptz)
    AND (filter ->> 'created_after' IS NULL OR q.created_at >= (filter ->> 'created_after')::timestamptz)
    AND NOT EXISTS (
      SELECT FROM queue_deletions x
      WHERE x.organization_id = org AND x.queue_name = q.queue_name AND q.created_at <= x.deleted_until)
    AND (coalesce(filter ->> 'q', filter ->> 'job_type', filter ->> 'tag') IS NULL OR EXISTS (
      SELECT FROM jobs j
      WHERE j.id = q.job_id AND j.organization_id = org
        AND job_matches_v1(j.id, j.queue_name, j.job_type, j.tags, filter ->> 'tag', filter ->> 'job_type', filter ->> 'q')))
    AND (filter ->> 'terms' IS NULL OR EXISTS (
      SELECT FROM job_records r
      WHERE r.id = q.job_id AND r.organization_id = org
        AND job_meets_terms_v1(r.id, r.queue_name, r.status, r.job_type, r.tags, r.payload, r.last_error, r.assigned_worker_id,
          r.idempotency_key, filter -> 'terms')))
$$;
