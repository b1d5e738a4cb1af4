-- Attached weeks that ended more than $2 days ago, oldest first.
--   $1 partitioned table  $2 days
SELECT week FROM list_partitions_v1($1) AS week
WHERE week + 7 < (now() - make_interval(days => $2)) AT TIME ZONE 'UTC'
ORDER BY 1
