/** Types generated for queries found in "libs/data-access/src/retention/walk-by-index.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'WalkByIndex' parameters type */
export type WalkByIndexParams = void;

/** 'WalkByIndex' return type */
export interface WalkByIndexResult {
  hashjoin: string;
  mergejoin: string;
}

/** 'WalkByIndex' query type */
export interface WalkByIndexQuery {
  params: WalkByIndexParams;
  result: WalkByIndexResult;
}

const walkByIndexIR: any = {"usedParamSet":{},"params":[],"statement":"-- Forces index scans: the planner would otherwise scan whole partitions to find a few rows.\nSELECT set_config('enable_hashjoin', 'off', true) AS \"hashjoin!\", set_config('enable_mergejoin', 'off', true) AS \"mergejoin!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Forces index scans: the planner would otherwise scan whole partitions to find a few rows.
 * SELECT set_config('enable_hashjoin', 'off', true) AS "hashjoin!", set_config('enable_mergejoin', 'off', true) AS "mergejoin!"
 * ```
 */
export const walkByIndex = new PreparedQuery<WalkByIndexParams,WalkByIndexResult>(walkByIndexIR);


