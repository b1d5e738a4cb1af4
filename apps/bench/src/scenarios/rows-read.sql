-- Rows and index entries that all sessions have read so far. Run as superuser.
SELECT (SELECT sum(idx_tup_fetch + seq_tup_read) FROM pg_stat_user_tables) + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes) AS read
