/* @name listDeliveries */
-- The deliveries of one webhook of the current organization, newest first, among the next :rows of :kind all, pending or failed.
-- :statuses null = any; :afterTime and :afterId of the last delivery of the previous page, null = the first page.
-- found: the deliveries of the page; of these as many are returned as have :maxBytes of payloads, and at least one.
-- Index: webhook_deliveries_of_webhook, webhook_deliveries_unsent or webhook_deliveries_failed.
WITH RECURSIVE page AS MATERIALIZED (
  SELECT id, created_at FROM (
    SELECT * FROM webhook_deliveries
    WHERE webhook_id = :webhookId! AND (:kind! <> 'pending' OR status = 'pending') AND (:kind! <> 'failed' OR status = 'failed')
      AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
    ORDER BY created_at DESC, id DESC LIMIT :rows!
  ) AS next
  WHERE (:statuses::text[] IS NULL OR status = ANY (:statuses))
  ORDER BY created_at DESC, id DESC
  LIMIT :limit! OFFSET :offset!
), numbered AS MATERIALIZED (
  SELECT id, row_number() OVER (ORDER BY created_at DESC, id DESC) AS place, count(*) OVER () AS found FROM page
), sized AS (
  -- Row by row, because a sum over all rows would read each payload: a page of 100 of 1 MB took three times as long.
  SELECT 1::bigint AS place, 0::bigint AS bytes_before
  UNION ALL
  SELECT s.place + 1, s.bytes_before + (SELECT octet_length(payload::text) FROM webhook_deliveries WHERE id = n.id)
  FROM sized s JOIN numbered n ON n.place = s.place WHERE s.bytes_before < :maxBytes!
)
SELECT d.id, d.webhook_id AS "webhook_id!", d.event, d.payload, d.status, d.status_code, d.response_body, d.error, d.attempts, d.created_at,
  d.delivered_at, nullif(d.next_attempt_at, 'infinity') AS next_attempt_at, coalesce(d.next_attempt_at = 'infinity', false) AS "held!", n.found AS "found!"
FROM sized s JOIN numbered n ON n.place = s.place CROSS JOIN LATERAL (SELECT * FROM webhook_deliveries WHERE id = n.id OFFSET 0) AS d
WHERE s.bytes_before < :maxBytes!
ORDER BY d.created_at DESC, d.id DESC;

/* @name findDeliveriesEnd */
-- The last of the next :rows; none if there are fewer.
SELECT created_at AS at, id FROM webhook_deliveries
WHERE webhook_id = :webhookId! AND (:kind! <> 'pending' OR status = 'pending') AND (:kind! <> 'failed' OR status = 'failed')
  AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET :rows!::bigint - 1;
