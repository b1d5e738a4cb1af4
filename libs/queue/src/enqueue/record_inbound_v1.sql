-- Writes the log of accepted inbound webhooks, in the transaction that enqueues their jobs.
--
-- Input:
--   batch  [{organization, items: [{id, provider, event_type, queue, job, status}]}]
--          id      of the command, so that one that runs twice is logged once
--          status  created, or duplicate when the idempotency key belongs to an existing job
CREATE OR REPLACE FUNCTION record_inbound_v1(batch json) RETURNS void
  LANGUAGE plpgsql
AS $$
DECLARE
  part json;
  org uuid;
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    org := (part ->> 'organization')::uuid;
    PERFORM set_config('app.current_org_id', org::text, true);
    INSERT INTO inbound_deliveries (id, organization_id, provider, event_type, matched_queue, job_id, status)
    SELECT x.id, org, x.provider, x.event_type, x.queue, x.job, x.status
    FROM json_to_recordset(part -> 'items') AS x(
      id uuid, provider text, event_type text, queue text, job uuid, status text)
    ON CONFLICT (id) DO NOTHING;
  END LOOP;
END
$$;
