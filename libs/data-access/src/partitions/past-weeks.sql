/* @name pastWeeks */
-- Attached weeks that ended more than :days ago, oldest first.
SELECT week AS "week!" FROM list_partitions_v1(:table!) AS week
WHERE week + 7 < (current_ts() - make_interval(days => :days!)) AT TIME ZONE 'UTC'
ORDER BY 1;
