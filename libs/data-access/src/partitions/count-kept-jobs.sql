-- Counts the jobs of a week that must be kept: live jobs, dead letters and recently finished jobs; up to $2 + 1.
--   $1 days that finished jobs are kept · $2 maximum · replaced: week_partition
SELECT count(*) AS kept FROM (
  SELECT FROM week_partition
  WHERE outcome IS NULL OR outcome NOT IN ('completed', 'cancelled') OR completed_at >= now() - make_interval(days => $1)
  LIMIT $2::int + 1
) k
