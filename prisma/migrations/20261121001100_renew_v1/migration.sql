-- Renew: new expiry = now + duration (not added to the old one), only while the lease is unexpired. Touches the narrow row only.
-- batch: [{org, items: [{c, id, w, l?, s?, a?, d}]}] with d in seconds and the others as complete_jobs_v1 has them.
-- Rows with `why` are refusals. `seconds`: what the row now holds, the longest of those asked for at once. `durable_only`: the queue
-- bounds how many are worked on at once and counts rows, so Redis may not hold its leases beyond them (MQ-03).
CREATE FUNCTION renew_leases_v1(batch json) RETURNS TABLE (
  command integer, why text, lease_expires_at timestamptz, lease_id uuid, queue_name text, seconds integer, durable_only boolean)
  LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz := statement_timestamp();
  part json;
  org uuid;
  ids uuid[];
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    org := (part ->> 'org')::uuid;
    PERFORM set_config('app.current_org_id', org::text, true);
    ids := ARRAY(SELECT x.id FROM json_to_recordset(part -> 'items') AS x(id uuid));
    RETURN QUERY
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset(part -> 'items') AS x(c integer, id uuid, w text, l text, s text[], a boolean, d integer)
    ), held AS MATERIALIZED (
      SELECT i.c, i.d, q.job_id, q.queue_name
      -- As complete_part_v1 has it.
      FROM (SELECT * FROM input ORDER BY id) AS i CROSS JOIN LATERAL (
        SELECT q.job_id, q.queue_name FROM job_queue q
        WHERE q.job_id = i.id AND q.organization_id = org AND q.state::text = 'leased' AND q.worker_id = i.w
          AND (q.lease_expires_at > moment OR i.a)
          AND (i.l IS NULL OR q.lease_id::text = i.l) AND (i.s IS NULL OR q.queue_name = ANY (i.s))
        FOR UPDATE
      ) AS q
    ), longest AS (
      SELECT h.job_id, array_agg(h.c) AS commands, max(h.d) AS d, bool_or(queue_concurrency_v1(s.settings) IS NOT NULL) AS durable_only
      FROM held h LEFT JOIN queue_config s ON s.organization_id = org AND s.queue_name = h.queue_name
      GROUP BY h.job_id
    ), written AS (
      UPDATE job_queue q SET lease_expires_at = clock_timestamp() + make_interval(secs => n.d), renewed = q.renewed OR NOT n.durable_only
      FROM longest n WHERE q.job_id = n.job_id AND q.job_id = ANY (ids)
      RETURNING n.commands, q.lease_expires_at, q.lease_id, q.queue_name, n.d, n.durable_only
    )
    SELECT unnest(r.commands), NULL, r.lease_expires_at, r.lease_id, r.queue_name, r.d, r.durable_only FROM written r
    UNION ALL
    SELECT i.c, lease_refusal_v1(org, i.id, i.w, i.l, i.s) ->> 'why', NULL, NULL, NULL, NULL, NULL
    FROM input i WHERE NOT i.c = ANY (ARRAY(SELECT h.c FROM held h));
  END LOOP;
END
$$;
