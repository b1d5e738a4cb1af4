/* @name listDeliveries */
-- The deliveries of one webhook of the current organization, newest first, among the next :rows of :kind all, pending or failed.
-- :statuses null = any; :afterTime and :afterId of the last delivery of the previous page, null = the first page.
-- found: the deliveries of the page; of these as many are returned as have :maxBytes of payloads, and at least one.
-- Index: webhook_deliveries_of_webhook, webhook_deliveries_unsent or webhook_deliveries_failed.
WITH page AS MATERIALIZED (
  SELECT id, created_at FROM (
    SELECT * FROM webhook_deliveries
    WHERE webhook_id = :webhookId! AND (:kind! <> 'pending' OR status = 'pending') AND (:kind! <> 'failed' OR status = 'failed')
      AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
    ORDER BY created_at DESC, id DESC LIMIT :rows!
  ) AS next
  WHERE (:statuses::text[] IS NULL OR status = ANY (:statuses))
  ORDER BY created_at DESC, id DESC
  LIMIT :limit! OFFSET :offset!
), sized AS (
  SELECT p.id, sum(d.bytes) OVER (ORDER BY p.created_at DESC, p.id DESC) - d.bytes AS bytes_before, count(*) OVER () AS found
  FROM page p CROSS JOIN LATERAL (SELECT octet_length(payload::text) AS bytes FROM webhook_deliveries WHERE id = p.id OFFSET 0) AS d
)
SELECT d.id, d.webhook_id AS "webhook_id!", d.event, d.payload, d.status, d.status_code, d.response_body, d.error, d.attempts, d.created_at,
  d.delivered_at, s.found AS "found!"
FROM sized s CROSS JOIN LATERAL (SELECT * FROM webhook_deliveries WHERE id = s.id OFFSET 0) AS d
WHERE s.bytes_before < :maxBytes!
ORDER BY d.created_at DESC, d.id DESC;

/* @name findDeliveriesEnd */
-- The last of the next :rows; none if there are fewer.
SELECT created_at AS at, id FROM webhook_deliveries
WHERE webhook_id = :webhookId! AND (:kind! <> 'pending' OR status = 'pending') AND (:kind! <> 'failed' OR status = 'failed')
  AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET :rows!::bigint - 1;
