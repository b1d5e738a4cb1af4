-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS workflows_unsuccessful ON workflows (organization_id, created_at DESC, id DESC) WHERE status IN ('failed', 'cancelled');
