/** Types generated for queries found in "libs/data-access/src/database/force-index-plans.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ForceIndexPlans' parameters type */
export type ForceIndexPlansParams = void;

/** 'ForceIndexPlans' return type */
export interface ForceIndexPlansResult {
  hashjoin: string;
  mergejoin: string;
  planning: string;
  seqscan: string;
}

/** 'ForceIndexPlans' query type */
export interface ForceIndexPlansQuery {
  params: ForceIndexPlansParams;
  result: ForceIndexPlansResult;
}

const forceIndexPlansIR: any = {"usedParamSet":{},"params":[],"statement":"-- For the rest of the transaction, statements are planned at each execution, for few rows and by index. Otherwise the planner would read\n-- a whole table or partition to find a few rows, where it overestimates them or keeps a plan that it made while the table was empty.\nSELECT set_config('enable_seqscan', 'off', true) AS \"seqscan!\", set_config('enable_hashjoin', 'off', true) AS \"hashjoin!\",\n  set_config('enable_mergejoin', 'off', true) AS \"mergejoin!\", set_config('plan_cache_mode', 'force_custom_plan', true) AS \"planning!\""};

/**
 * Query generated from SQL:
 * ```
 * -- For the rest of the transaction, statements are planned at each execution, for few rows and by index. Otherwise the planner would read
 * -- a whole table or partition to find a few rows, where it overestimates them or keeps a plan that it made while the table was empty.
 * SELECT set_config('enable_seqscan', 'off', true) AS "seqscan!", set_config('enable_hashjoin', 'off', true) AS "hashjoin!",
 *   set_config('enable_mergejoin', 'off', true) AS "mergejoin!", set_config('plan_cache_mode', 'force_custom_plan', true) AS "planning!"
 * ```
 */
export const forceIndexPlans = new PreparedQuery<ForceIndexPlansParams,ForceIndexPlansResult>(forceIndexPlansIR);


