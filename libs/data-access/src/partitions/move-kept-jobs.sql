-- Moves the jobs to keep from a detached partition to the default partition.
--   $1 days that finished jobs are kept · replaced: week_partition
INSERT INTO jobs SELECT * FROM week_partition
WHERE outcome IS NULL OR outcome NOT IN ('completed', 'cancelled') OR completed_at >= now() - make_interval(days => $1)
