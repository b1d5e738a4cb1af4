-- Moves the jobs that must outlive a detached partition; they are routed to the default partition.
--   $1 days that finished jobs are kept · names filled in: week_partition
INSERT INTO jobs SELECT * FROM week_partition
WHERE outcome IS NULL OR outcome NOT IN ('completed', 'cancelled') OR completed_at >= now() - make_interval(days => $1)
