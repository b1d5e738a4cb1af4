/* @name findWebhookTarget */
-- Where a webhook is sent, and what signs its calls. The previous secret is null unless a rotation lasts.
SELECT url, secret, CASE WHEN previous_secret_until > current_ts() THEN previous_secret END AS "previousSecret", format
FROM outgoing_webhooks WHERE id = :id!;
