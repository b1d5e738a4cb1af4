-- Copies the next jobs to keep of a partition that is being compacted. The row locks make a concurrent change wait, which its trigger then
-- repeats in the copy; a row that the trigger has written already is left as it is.
--   $1 id after which to continue · $2 days that finished jobs are kept · $3 limit · replaced: week_partition
WITH next AS (
  SELECT * FROM week_partition
  WHERE id > $1 AND (outcome IS NULL OR outcome NOT IN ('completed', 'cancelled') OR completed_at >= now() - make_interval(days => $2))
  ORDER BY id LIMIT $3 FOR SHARE
), copied AS (
  INSERT INTO week_partition_kept SELECT * FROM next ON CONFLICT DO NOTHING
)
SELECT id FROM next ORDER BY id DESC LIMIT 1
