-- no-transaction
-- Lists by status: most workflows of a large table have completed.
CREATE INDEX CONCURRENTLY IF NOT EXISTS workflows_open ON workflows (organization_id, created_at DESC, id DESC) WHERE status IN ('pending', 'running');
