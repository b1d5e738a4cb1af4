-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS job_stats_oldest ON job_stats (hour) WHERE slot >= 0;
