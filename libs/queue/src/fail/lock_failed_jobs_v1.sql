-- Locks jobs whose attempts have failed until the transaction ends. A failed attempt takes two statements of one transaction: this
-- one, then apply_failures_v1 with what libs/domain has decided (retry after which delay, or dead letter).
--
-- Input:
--   batch  [{organization, items: [{command, id, worker, lease?, scope?, renewed?}]}], in order of organization
--       command, id, worker, lease, scope, renewed  as for renew_leases_v1
-- Output: rows with `why` are refusals (lease_refusal_v1), the others are locked jobs; lease_id only where Redis may know the lease;
--   cancel_requested: the job is cancelled, not retried
CREATE OR REPLACE FUNCTION lock_failed_jobs_v1(batch json) RETURNS TABLE (
  command integer, why text, job_id uuid, queue_name text, retry_count smallint, max_retries smallint, settings jsonb,
  lease_id uuid, cancel_requested boolean)
  LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
  SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off SET enable_material = off
AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz := current_ts(statement_timestamp());
  part json;
  org uuid;
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    org := (part ->> 'organization')::uuid;
    PERFORM set_config('app.current_org_id', org::text, true);
    RETURN QUERY
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset(part -> 'items') AS x(command integer, id uuid, worker text, lease text, scope text[], renewed boolean)
    ), held AS MATERIALIZED (
      -- The first of those that hold the job, in one probe of the key for each: as in complete_part_v1.
      SELECT DISTINCT ON (i.id)
        i.command, q.job_id, q.queue_name, q.retry_count, q.max_retries, CASE WHEN q.renewed THEN q.lease_id END AS known_lease,
        q.cancel_requested_at IS NOT NULL AS cancel_requested
      FROM (SELECT * FROM input ORDER BY id, command) AS i CROSS JOIN LATERAL (
        SELECT q.* FROM job_queue q
        WHERE q.job_id = i.id AND holds_lease_v1(q, org, i.worker, i.lease, i.scope, i.renewed, moment) FOR UPDATE
      ) AS q
      ORDER BY i.id, i.command
    )
    SELECT h.command, NULL, h.job_id, h.queue_name, h.retry_count, h.max_retries,
      retry_settings_v1(s.settings, j.settings), h.known_lease, h.cancel_requested
    FROM held h LEFT JOIN queue_config s ON s.organization_id = org AND s.queue_name = h.queue_name
    LEFT JOIN LATERAL (SELECT settings FROM jobs WHERE id = h.job_id OFFSET 0) AS j ON true
    UNION ALL
    SELECT i.command, lease_refusal_v1(org, i.id, i.worker, i.lease, i.scope) ->> 'why', i.id, NULL, NULL, NULL, NULL, NULL, NULL
    FROM input i WHERE NOT i.command = ANY (ARRAY(SELECT h.command FROM held h));
  END LOOP;
END
$$;
