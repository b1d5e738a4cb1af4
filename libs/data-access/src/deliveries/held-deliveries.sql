/* @name findHeldWebhooks */
-- Webhooks with held deliveries that need something: a probe that is due, or that their deliveries are released. Across all tenants, so as
-- spooled_system. Index: webhook_deliveries_held, one look for each webhook with such.
WITH RECURSIVE holder AS (
  (SELECT webhook_id FROM webhook_deliveries WHERE next_attempt_at = 'infinity' ORDER BY webhook_id LIMIT 1)
  UNION ALL
  SELECT following.webhook_id FROM holder h CROSS JOIN LATERAL (
    SELECT webhook_id FROM webhook_deliveries WHERE next_attempt_at = 'infinity' AND webhook_id > h.webhook_id ORDER BY webhook_id LIMIT 1
  ) AS following
)
SELECT w.id, w.organization_id AS "organizationId", w.enabled AND w.held_since IS NOT NULL AS "isHeld!"
FROM holder h JOIN outgoing_webhooks w ON w.id = h.webhook_id
WHERE NOT w.enabled OR w.held_since IS NULL OR w.probe_at <= current_ts()
LIMIT :limit!;

/* @name releaseHeld */
-- Makes held deliveries of a webhook due, the oldest first, unless it is held again. Index: webhook_deliveries_held.
UPDATE webhook_deliveries SET next_attempt_at = current_ts()
WHERE id = ANY (ARRAY(
  SELECT id FROM webhook_deliveries WHERE webhook_id = :id! AND next_attempt_at = 'infinity'
  ORDER BY created_at, id LIMIT :limit! FOR UPDATE SKIP LOCKED))
  AND EXISTS (SELECT FROM outgoing_webhooks w WHERE w.id = :id! AND (NOT w.enabled OR w.held_since IS NULL))
RETURNING id;

/* @name dropOldestHeld */
-- Gives up held deliveries beyond the newest :max of a webhook, at most :limit of them. Index: webhook_deliveries_held.
WITH dropped AS (
  UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, error = :error!
  WHERE id = ANY (ARRAY(
    SELECT id FROM webhook_deliveries WHERE webhook_id = :id! AND next_attempt_at = 'infinity'
    ORDER BY created_at DESC, id DESC OFFSET :max! LIMIT :limit!)) AND next_attempt_at = 'infinity'
  RETURNING id
), counted AS (SELECT count(*) AS number FROM dropped), noted AS (
  UPDATE outgoing_webhooks SET dropped_count = dropped_count + number, dropped_at = current_ts()
  FROM counted WHERE id = :id! AND number > 0
)
SELECT number AS "dropped!" FROM counted;

/* @name beginProbe */
-- Makes one held delivery due as the probe of its webhook: of the newest 100 one with the fewest attempts, so that a delivery that its
-- receiver always refuses is not sent at each probe. No row: another process has begun it or holds the delivery, or the webhook is no
-- longer held.
-- The next probe comes after :firstSeconds, doubling up to :longestSeconds. Index: webhook_deliveries_held.
WITH webhook AS (
  SELECT id, probes FROM outgoing_webhooks
  WHERE id = :id! AND enabled AND held_since IS NOT NULL AND probe_at <= current_ts() FOR UPDATE SKIP LOCKED
), chosen AS (
  SELECT newest.id FROM webhook CROSS JOIN LATERAL (
    SELECT d.id, d.attempts, d.created_at FROM webhook_deliveries d WHERE d.webhook_id = webhook.id AND d.next_attempt_at = 'infinity'
    ORDER BY d.created_at DESC, d.id DESC LIMIT 100
  ) AS newest ORDER BY newest.attempts, newest.created_at DESC, newest.id DESC LIMIT 1
), free AS (
  -- Another time if others hold it: a retry by hand locks the delivery before the webhook.
  SELECT d.id FROM chosen JOIN webhook_deliveries d ON d.id = chosen.id AND d.next_attempt_at = 'infinity' FOR UPDATE OF d SKIP LOCKED
), noted AS (
  UPDATE outgoing_webhooks w SET probe_id = free.id, probes = w.probes + 1,
    probe_at = current_ts() + least(:firstSeconds! * power(2, least(w.probes + 1, 20)), :longestSeconds!) * interval '1 second'
  FROM free WHERE w.id = :id!
)
UPDATE webhook_deliveries d SET next_attempt_at = current_ts() FROM free WHERE d.id = free.id RETURNING d.id;
