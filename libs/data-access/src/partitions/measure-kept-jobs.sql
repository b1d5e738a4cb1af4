-- Size of a past week's partition, and of the jobs in it that must be kept.
--   $1 days that finished jobs are kept · replaced: week_partition
SELECT pg_relation_size('week_partition') AS bytes, count(*) AS kept, coalesce(sum(pg_column_size(p.*)), 0)::bigint AS kept_bytes
FROM week_partition p
WHERE outcome IS NULL OR outcome NOT IN ('completed', 'cancelled') OR completed_at >= now() - make_interval(days => $1)
