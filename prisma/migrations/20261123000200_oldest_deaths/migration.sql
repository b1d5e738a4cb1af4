-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS dead_letters_oldest_deaths ON dead_letters (organization_id, dead_at);
