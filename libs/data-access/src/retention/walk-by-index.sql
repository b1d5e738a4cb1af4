/* @name walkByIndex */
-- Row by row through the indexes: a plan for many rows would read whole partitions to find a few.
SELECT set_config('enable_hashjoin', 'off', true) AS "hashjoin!", set_config('enable_mergejoin', 'off', true) AS "mergejoin!";
