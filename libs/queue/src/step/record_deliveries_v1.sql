-- Writes one delivery for each subscribed webhook and each job, in the transaction that changed the job, so that no crash loses one.
--
-- Input:
--   org
--   event_name
--   job_ids    null for what is not about one job
--   documents  the data of each event; json because callers' results may hold what jsonb refuses (\u0000)
-- Output: [{id, organization}] of the deliveries that are due, for the hand-over after the commit. While the receiver of a webhook fails,
--   its deliveries are held.
CREATE OR REPLACE FUNCTION record_deliveries_v1(org uuid, event_name text, job_ids uuid[], documents json[]) RETURNS jsonb
  LANGUAGE plpgsql
AS $$
DECLARE
  recorded jsonb;
BEGIN
  WITH written AS (
    INSERT INTO webhook_deliveries (organization_id, webhook_id, job_id, event, payload, next_attempt_at)
    SELECT org, w.id, occurred.job_id, event_name, occurred.document,
      CASE WHEN w.held_since IS NULL THEN current_ts() ELSE 'infinity' END
    FROM unnest(job_ids, documents) AS occurred(job_id, document)
    CROSS JOIN outgoing_webhooks w
    WHERE w.organization_id = org AND w.enabled AND event_name = ANY (w.events)
    RETURNING id, next_attempt_at
  )
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'organization', org)), '[]') INTO recorded
  FROM written WHERE next_attempt_at < 'infinity';
  RETURN recorded;
END
$$;
