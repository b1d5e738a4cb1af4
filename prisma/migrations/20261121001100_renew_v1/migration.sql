-- Renew: new expiry = now + duration (not added to the old one), only while the lease is unexpired. Touches the narrow row only.
-- batch: [{org, items: [{c, id, w, l?, s?, d}]}] with d in seconds. Rows with `why` are refusals.
CREATE FUNCTION renew_leases_v1(batch json) RETURNS TABLE (command integer, why text, lease_expires_at timestamptz)
  LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz := statement_timestamp();
  part json;
  org uuid;
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    org := (part ->> 'org')::uuid;
    PERFORM set_config('app.current_org_id', org::text, true);
    RETURN QUERY
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset(part -> 'items') AS x(c integer, id uuid, w text, l text, s text[], d integer)
    ), held AS MATERIALIZED (
      SELECT i.c, i.d, q.job_id FROM input i JOIN job_queue q ON q.job_id = i.id
      WHERE q.organization_id = org AND q.state = 'leased' AND q.worker_id = i.w AND q.lease_expires_at > moment
        AND (i.l IS NULL OR q.lease_id::text = i.l) AND (i.s IS NULL OR q.queue_name = ANY (i.s))
      ORDER BY q.job_id FOR UPDATE OF q
    ), longest AS (
      SELECT job_id, max(d) AS d FROM held GROUP BY job_id
    ), renewed AS (
      UPDATE job_queue q SET lease_expires_at = clock_timestamp() + make_interval(secs => n.d)
      FROM longest n WHERE q.job_id = n.job_id RETURNING q.job_id, q.lease_expires_at
    )
    SELECT h.c, NULL, r.lease_expires_at FROM held h JOIN renewed r ON r.job_id = h.job_id
    UNION ALL
    SELECT i.c, lease_refusal_v1(org, i.id, i.w, i.l, i.s) ->> 'why', NULL
    FROM input i WHERE NOT EXISTS (SELECT FROM held h WHERE h.c = i.c);
  END LOOP;
END
$$;
