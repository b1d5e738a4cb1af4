-- Deliveries for outgoing webhooks about things that no batch function decides by itself. Called in the transaction of the change.

-- batch: [{org, event, items: [{id | null, data}]}]: job, and what the webhooks are told. Costs one index probe for an organization
-- that nobody listens to. Returns [{id, org}] for the hand-over after commit.
CREATE FUNCTION decide_events_v1(batch json) RETURNS jsonb
  LANGUAGE plpgsql
AS $$
DECLARE
  part json;
  org uuid;
  decided jsonb := '[]';
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    org := (part ->> 'org')::uuid;
    PERFORM set_config('app.current_org_id', org::text, true);
    CONTINUE WHEN NOT has_subscribers_v1(org, part ->> 'event');
    decided := decided || (
      SELECT decide_deliveries_v1(org, part ->> 'event', array_agg(x.id), array_agg(x.data))
      FROM json_to_recordset(part -> 'items') AS x(id uuid, data json));
  END LOOP;
  RETURN decided;
END
$$;

-- The same for jobs that were cancelled. batch: [{org, items: [{id, q, o, r?}]}]: job, queue, old status and, where it was not
-- cancelled by itself, why; `cascade` = because of a job that it waited for.
CREATE FUNCTION decide_cancellations_v1(batch json) RETURNS jsonb
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  part json;
  org uuid;
  decided jsonb := '[]';
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    org := (part ->> 'org')::uuid;
    PERFORM set_config('app.current_org_id', org::text, true);
    CONTINUE WHEN NOT has_subscribers_v1(org, 'job.cancelled');
    decided := decided || coalesce((
      SELECT decide_deliveries_v1(org, 'job.cancelled', array_agg(j.id), array_agg(json_strip_nulls(json_build_object(
        'job_id', j.id, 'queue_name', x.q, 'status', 'cancelled', 'old_status', x.o,
        'reason', CASE WHEN x.r <> 'cascade' THEN x.r WHEN x.r IS NULL THEN NULL
          WHEN j.parent_job_id IS NULL THEN 'dependency_failed' ELSE 'parent_failed' END))))
      FROM json_to_recordset(part -> 'items') AS x(id uuid, q text, o text, r text) JOIN jobs j ON j.id = x.id
      HAVING count(*) > 0), '[]');
  END LOOP;
  RETURN decided;
END
$$;
