-- Whether any webhook of the organization wants this event; asked before deliveries are built.
--
-- Input:
--   org
--   event_name
CREATE OR REPLACE FUNCTION has_subscribers_v1(org uuid, event_name text) RETURNS boolean
  LANGUAGE sql STABLE
AS $$
  SELECT EXISTS (SELECT FROM outgoing_webhooks WHERE organization_id = org AND enabled AND event_name = ANY (events))
$$;
