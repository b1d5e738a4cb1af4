/* @name missingWeeks */
-- Mondays without a partition, from the current week to :weeksAhead weeks later.
SELECT week::date AS "week!"
FROM generate_series(0, :weeksAhead!::int) AS n, LATERAL (SELECT date_trunc('week', current_ts() AT TIME ZONE 'UTC')::date + n * 7 AS week) w
EXCEPT
SELECT list_partitions_v1(:table!)
ORDER BY 1;
