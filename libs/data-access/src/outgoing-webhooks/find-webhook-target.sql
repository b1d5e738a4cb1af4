/* @name findWebhookTarget */
SELECT url, secret FROM outgoing_webhooks WHERE id = :id!;
