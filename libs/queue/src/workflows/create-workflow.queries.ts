/** Types generated for queries found in "libs/queue/src/workflows/create-workflow.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'CreateWorkflow' parameters type */
export interface CreateWorkflowParams {
  edges: string;
  flow: string;
  maxRetries: number;
  maxWorkflows?: number | null | void;
  organizationId: string;
  part: string;
  timeoutSeconds: number;
}

/** 'CreateWorkflow' return type */
export interface CreateWorkflowResult {
  answer: unknown;
}

/** 'CreateWorkflow' query type */
export interface CreateWorkflowQuery {
  params: CreateWorkflowParams;
  result: CreateWorkflowResult;
}

const createWorkflowIR: any = {"usedParamSet":{"organizationId":true,"flow":true,"part":true,"edges":true,"maxWorkflows":true,"maxRetries":true,"timeoutSeconds":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":26,"b":41}]},{"name":"flow","required":true,"transform":{"type":"scalar"},"locs":[{"a":44,"b":49}]},{"name":"part","required":true,"transform":{"type":"scalar"},"locs":[{"a":52,"b":57}]},{"name":"edges","required":true,"transform":{"type":"scalar"},"locs":[{"a":60,"b":66}]},{"name":"maxWorkflows","required":false,"transform":{"type":"scalar"},"locs":[{"a":69,"b":81}]},{"name":"maxRetries","required":true,"transform":{"type":"scalar"},"locs":[{"a":84,"b":95}]},{"name":"timeoutSeconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":98,"b":113}]}],"statement":"SELECT create_workflow_v1(:organizationId!, :flow!, :part!, :edges!, :maxWorkflows, :maxRetries!, :timeoutSeconds!) AS \"answer!\""};

/**
 * Query generated from SQL:
 * ```
 * SELECT create_workflow_v1(:organizationId!, :flow!, :part!, :edges!, :maxWorkflows, :maxRetries!, :timeoutSeconds!) AS "answer!"
 * ```
 */
export const createWorkflow = new PreparedQuery<CreateWorkflowParams,CreateWorkflowResult>(createWorkflowIR);


