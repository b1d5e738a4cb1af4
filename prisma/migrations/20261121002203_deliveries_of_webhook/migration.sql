-- The list of a webhook's deliveries, and their removal together with it: the foreign key looks for the webhook alone.
CREATE INDEX webhook_deliveries_of_webhook ON webhook_deliveries (webhook_id, created_at DESC, id DESC) WHERE webhook_id IS NOT NULL;
-- Retention goes by organization and age; the webhook between the two was in its way.
CREATE INDEX webhook_deliveries_oldest ON webhook_deliveries (organization_id, created_at);
DROP INDEX webhook_deliveries_newest;
