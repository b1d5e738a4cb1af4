-- Renews unexpired leases: the new expiry is now + duration, not added to the old one, and never later than the end of the attempt (its
-- start + its timeout + the second of grant_leases_v1). Touches the narrow row only.
--
-- Input:
--   batch  [{organization, items: [{command, id, worker, lease?, scope?, renewed?, lease_seconds}]}], in order of organization
--       command  number of the command
--       id       job
--       worker   who shows the lease
--       lease    its id; absent: the worker's name alone
--       scope    queues that its key may touch; absent = all
--       renewed  true: Redis holds the lease beyond the row's end
-- Output: rows with `why` are refusals (lease_refusal_v1)
--   seconds       what the row now holds: the longest of those asked for at once
--   durable_only  Redis may not hold the lease beyond its row: the queue bounds how many are worked on at once and counts rows (MQ-03), or
--                 the attempt times out within two durations. Redis extends a lease by at most its duration beyond the row, so it never
--                 holds one longer than the attempt may take. Nor may it hold one whose job was asked to end: every renewal says so.
--   cancel_requested
CREATE OR REPLACE FUNCTION renew_leases_v1(batch json) RETURNS TABLE (
  command integer, why text, lease_expires_at timestamptz, lease_id uuid, queue_name text, seconds integer, durable_only boolean,
  cancel_requested boolean)
  LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
  SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off SET enable_material = off
AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz := current_ts(statement_timestamp());
  part json;
  org uuid;
  ids uuid[];
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    org := (part ->> 'organization')::uuid;
    PERFORM set_config('app.current_org_id', org::text, true);
    ids := ARRAY(SELECT x.id FROM json_to_recordset(part -> 'items') AS x(id uuid));
    RETURN QUERY
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset(part -> 'items') AS x(
        command integer, id uuid, worker text, lease text, scope text[], renewed boolean, lease_seconds integer)
    ), held AS MATERIALIZED (
      SELECT i.command, i.lease_seconds, q.job_id, q.queue_name
      -- As in complete_part_v1.
      FROM (SELECT * FROM input ORDER BY id) AS i CROSS JOIN LATERAL (
        SELECT q.job_id, q.queue_name FROM job_queue q
        WHERE q.job_id = i.id AND holds_lease_v1(q, org, i.worker, i.lease, i.scope, i.renewed, moment) FOR UPDATE
      ) AS q
    ), longest AS (
      SELECT h.job_id, array_agg(h.command) AS commands, max(h.lease_seconds) AS lease_seconds,
        bool_or(queue_concurrency_v1(s.settings) IS NOT NULL) AS durable_only
      FROM held h LEFT JOIN queue_config s ON s.organization_id = org AND s.queue_name = h.queue_name
      GROUP BY h.job_id
    ), written AS (
      UPDATE job_queue q SET lease_expires_at = least(
          current_ts(clock_timestamp()) + make_interval(secs => n.lease_seconds), q.started_at + make_interval(secs => q.timeout_seconds + 1)),
        renewed = true
      FROM longest n WHERE q.job_id = n.job_id AND q.job_id = ANY (ids)
      RETURNING n.commands, q.lease_expires_at, q.lease_id, q.queue_name, n.lease_seconds, n.durable_only OR coalesce(
        current_ts(clock_timestamp()) + make_interval(secs => 2 * n.lease_seconds) > q.started_at + make_interval(secs => q.timeout_seconds), false)
          OR q.cancel_requested_at IS NOT NULL AS durable_only,
        q.cancel_requested_at IS NOT NULL AS cancel_requested
    )
    SELECT unnest(r.commands), NULL, r.lease_expires_at, r.lease_id, r.queue_name, r.lease_seconds, r.durable_only, r.cancel_requested
    FROM written r
    UNION ALL
    SELECT i.command, lease_refusal_v1(org, i.id, i.worker, i.lease, i.scope) ->> 'why', NULL, NULL, NULL, NULL, NULL, NULL
    FROM input i WHERE NOT i.command = ANY (ARRAY(SELECT h.command FROM held h));
  END LOOP;
END
$$;
