/* @name forceIndexPlans */
-- For the rest of the transaction, statements are planned at each execution, for few rows and by index. Otherwise the planner would read
-- a whole table or partition to find a few rows, where it overestimates them or keeps a plan that it made while the table was empty.
SELECT set_config('enable_seqscan', 'off', true) AS "seqscan!", set_config('enable_hashjoin', 'off', true) AS "hashjoin!",
  set_config('enable_mergejoin', 'off', true) AS "mergejoin!", set_config('plan_cache_mode', 'force_custom_plan', true) AS "planning!";
