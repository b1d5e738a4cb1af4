-- Writes deliveries of events that no other function records by itself. Costs one index probe for an organization without a webhook
-- for the event.
--
-- Input:
--   batch  [{organization, event, items: [{id | null, data}]}]: job, and what the webhooks are sent
-- Output: [{id, organization}] of the deliveries
CREATE OR REPLACE FUNCTION record_events_v1(batch json) RETURNS jsonb
  LANGUAGE plpgsql
AS $$
DECLARE
  part json;
  org uuid;
  recorded jsonb := '[]';
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    org := (part ->> 'organization')::uuid;
    PERFORM set_config('app.current_org_id', org::text, true);
    CONTINUE WHEN NOT has_subscribers_v1(org, part ->> 'event');
    recorded := recorded || (
      SELECT record_deliveries_v1(org, part ->> 'event', array_agg(x.id), array_agg(x.data))
      FROM json_to_recordset(part -> 'items') AS x(id uuid, data json));
  END LOOP;
  RETURN recorded;
END
$$;
