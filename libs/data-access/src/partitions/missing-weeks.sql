-- Mondays from this week's to the one $2 weeks ahead that have no partition yet.
--   $1 partitioned table  $2 weeks ahead
SELECT week::date AS week
FROM generate_series(0, $2::int) AS n, LATERAL (SELECT date_trunc('week', now() AT TIME ZONE 'UTC')::date + n * 7 AS week) w
EXCEPT
SELECT list_partitions_v1($1)
ORDER BY 1
