-- Jobs that earlier runs of claims have granted, by the lease ids that are derived from claim and job (claim_jobs_v1). The rows are
-- locked, so that no other transaction releases them.
--
-- Input:
--   batch   [{number, organization, queue, worker, claim}], in order of organization; number: the command's
--   budget  bytes of payloads, for all claims together: one that finds them used up is put off
-- Output: as claim_jobs_v1
-- Relies on: job_queue_leased
CREATE OR REPLACE FUNCTION find_leases_of_claim_v1(batch json, budget bigint) RETURNS SETOF granted_job_v1
  LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
AS $$
DECLARE
  item json;
  org uuid;
  granted granted_job_v1;
  none granted_job_v1;
BEGIN
  FOR item IN SELECT value FROM json_array_elements(batch) LOOP
    IF budget <= 0 THEN
      granted := none;
      granted.command := item ->> 'number';
      RETURN NEXT granted;
      CONTINUE;
    END IF;
    org := (item ->> 'organization')::uuid;
    PERFORM set_config('app.current_org_id', org::text, true);
    FOR granted IN
      SELECT (item ->> 'number')::integer, 0, q.job_id, q.queue_name, j.payload, q.priority, q.retry_count, q.max_retries,
        j.timeout_seconds, q.lease_id, q.lease_expires_at, q.created_at, coalesce(q.due_at, j.scheduled_at), q.started_at,
        j.idempotency_key, j.traceparent, q.worker_id, false, 0::real, octet_length(j.payload::text), NULL::text[]
      FROM job_queue q CROSS JOIN LATERAL (SELECT * FROM jobs WHERE jobs.id = q.job_id OFFSET 0) AS j
      WHERE q.organization_id = org AND q.queue_name = item ->> 'queue' AND q.worker_id = item ->> 'worker' AND q.state = 'leased'
        AND q.lease_id = md5((item ->> 'claim') || q.job_id)::uuid
      ORDER BY q.priority DESC, q.created_at, q.job_id
      FOR UPDATE OF q
    LOOP
      budget := budget - granted.bytes;
      RETURN NEXT granted;
    END LOOP;
  END LOOP;
END
$$;
