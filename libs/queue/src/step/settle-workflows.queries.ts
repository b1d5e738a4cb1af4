/** Types generated for queries found in "libs/queue/src/step/settle-workflows.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'SettleWorkflows' parameters type */
export interface SettleWorkflowsParams {
  batch: string;
}

/** 'SettleWorkflows' return type */
export interface SettleWorkflowsResult {
  settled: unknown;
}

/** 'SettleWorkflows' query type */
export interface SettleWorkflowsQuery {
  params: SettleWorkflowsParams;
  result: SettleWorkflowsResult;
}

const settleWorkflowsIR: any = {"usedParamSet":{"batch":true},"params":[{"name":"batch","required":true,"transform":{"type":"scalar"},"locs":[{"a":27,"b":33}]}],"statement":"SELECT settle_workflows_v3(:batch!) AS \"settled!\""};

/**
 * Query generated from SQL:
 * ```
 * SELECT settle_workflows_v3(:batch!) AS "settled!"
 * ```
 */
export const settleWorkflows = new PreparedQuery<SettleWorkflowsParams,SettleWorkflowsResult>(settleWorkflowsIR);


