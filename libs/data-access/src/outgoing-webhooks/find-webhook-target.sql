/* @name findWebhookTarget */
SELECT url, secret, format FROM outgoing_webhooks WHERE id = :id!;
