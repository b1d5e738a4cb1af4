/* @name resendDeliveries */
-- Makes the next :limit failed deliveries due, the oldest first, after :afterTime and :afterId. Those of a webhook that is held are held.
-- Index: webhook_deliveries_failed.
WITH webhook AS MATERIALIZED (
  SELECT held_since FROM outgoing_webhooks WHERE organization_id = :organizationId! AND id = (:filter!::jsonb ->> 'webhook_id')::uuid
), chosen AS MATERIALIZED (
  SELECT d.id FROM webhook_deliveries d
  WHERE d.organization_id = :organizationId! AND d.id = ANY (ARRAY(
    SELECT m.id FROM matching_deliveries_v1(:filter!, :until!, :maxAttempts!, :maxRetries!) m
    WHERE (m.created_at, m.id) > (:afterTime!::timestamptz, :afterId!::uuid) ORDER BY m.created_at, m.id LIMIT :limit!))
  ORDER BY d.created_at, d.id FOR UPDATE
), sent AS (
  UPDATE webhook_deliveries d SET status = 'pending', manual_retries = d.manual_retries + 1,
    next_attempt_at = CASE WHEN w.held_since IS NULL THEN current_ts(clock_timestamp()) ELSE 'infinity' END
  FROM webhook w WHERE d.id = ANY (ARRAY(SELECT id FROM chosen)) AND d.status = 'failed'
  RETURNING d.id, d.created_at, d.next_attempt_at = 'infinity' AS held
)
SELECT id, created_at, held AS "held!" FROM sent ORDER BY created_at, id;

/* @name hasMoreDeliveries */
SELECT EXISTS (
  SELECT FROM matching_deliveries_v1(:filter!, :until!, :maxAttempts!, :maxRetries!) m
  WHERE (m.created_at, m.id) > (:afterTime!::timestamptz, :afterId!::uuid)
) AS "more!";

/* @name isWebhookEnabled */
SELECT enabled FROM outgoing_webhooks WHERE organization_id = :organizationId! AND id = :id!::uuid;
