/* @name resendDeliveries */
-- Makes the next :limit failed deliveries due, the oldest first, after :afterTime and :afterId. Those of a webhook that is held are held.
-- Returns all of them: was_sent is false for one that was sent or attempted since the statement began, whose lock it has waited for.
-- Index: webhook_deliveries_failed.
WITH webhook AS MATERIALIZED (
  SELECT held_since FROM outgoing_webhooks WHERE organization_id = :organizationId! AND id = (:filter!::jsonb ->> 'webhook_id')::uuid
), chosen AS MATERIALIZED (
  SELECT d.id, d.created_at FROM webhook_deliveries d
  WHERE d.organization_id = :organizationId! AND d.id = ANY (ARRAY(
    SELECT m.id FROM matching_deliveries_v1(:filter!, :until!, :maxAttempts!, :maxRetries!) m
    WHERE (m.created_at, m.id) > (:afterTime!::timestamptz, :afterId!::uuid) ORDER BY m.created_at, m.id LIMIT :limit!))
  ORDER BY d.created_at, d.id FOR UPDATE
), sent AS (
  UPDATE webhook_deliveries d SET status = 'pending', manual_retries = d.manual_retries + 1,
    next_attempt_at = CASE WHEN w.held_since IS NULL THEN current_ts(clock_timestamp()) ELSE 'infinity' END
  FROM webhook w WHERE d.id = ANY (ARRAY(SELECT id FROM chosen)) AND d.status = 'failed'
    -- As matching_deliveries_v1: an attempt may be running.
    AND (d.next_attempt_at IS NULL OR d.next_attempt_at > current_ts(clock_timestamp()) + interval '1 minute')
  RETURNING d.id, d.next_attempt_at = 'infinity' AS held
)
SELECT c.id, c.created_at, s.id IS NOT NULL AS "was_sent!", coalesce(s.held, false) AS "held!"
FROM chosen c LEFT JOIN sent s ON s.id = c.id ORDER BY c.created_at, c.id;

/* @name hasMoreDeliveries */
SELECT EXISTS (
  SELECT FROM matching_deliveries_v1(:filter!, :until!, :maxAttempts!, :maxRetries!) m
  WHERE (m.created_at, m.id) > (:afterTime!::timestamptz, :afterId!::uuid)
) AS "more!";

/* @name isWebhookEnabled */
SELECT enabled FROM outgoing_webhooks WHERE organization_id = :organizationId! AND id = :id!::uuid;
