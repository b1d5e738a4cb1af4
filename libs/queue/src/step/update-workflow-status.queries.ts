/** Types generated for queries found in "libs/queue/src/step/update-workflow-status.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'UpdateWorkflowStatus' parameters type */
export interface UpdateWorkflowStatusParams {
  batch: string;
}

/** 'UpdateWorkflowStatus' return type */
export interface UpdateWorkflowStatusResult {
  settled: unknown;
}

/** 'UpdateWorkflowStatus' query type */
export interface UpdateWorkflowStatusQuery {
  params: UpdateWorkflowStatusParams;
  result: UpdateWorkflowStatusResult;
}

const updateWorkflowStatusIR: any = {"usedParamSet":{"batch":true},"params":[{"name":"batch","required":true,"transform":{"type":"scalar"},"locs":[{"a":33,"b":39}]}],"statement":"SELECT update_workflow_status_v1(:batch!) AS \"settled!\""};

/**
 * Query generated from SQL:
 * ```
 * SELECT update_workflow_status_v1(:batch!) AS "settled!"
 * ```
 */
export const updateWorkflowStatus = new PreparedQuery<UpdateWorkflowStatusParams,UpdateWorkflowStatusResult>(updateWorkflowStatusIR);


