/* @name walkByIndex */
-- Forces index scans: the planner would otherwise scan whole partitions to find a few rows.
SELECT set_config('enable_hashjoin', 'off', true) AS "hashjoin!", set_config('enable_mergejoin', 'off', true) AS "mergejoin!";
