/* @name deleteDeliveriesOfWebhook */
-- Deletes up to :limit deliveries of a webhook. Index: webhook_deliveries_of_webhook.
WITH removed AS (
  DELETE FROM webhook_deliveries WHERE organization_id = :organizationId! AND id = ANY (ARRAY(
    SELECT id FROM webhook_deliveries WHERE organization_id = :organizationId! AND webhook_id = :webhookId! LIMIT :limit!))
  RETURNING id
)
SELECT count(*) AS "deleted!" FROM removed;
