/** Types generated for queries found in "libs/data-access/src/workflows/list-workflow-edges.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ListWorkflowEdges' parameters type */
export interface ListWorkflowEdgesParams {
  organizationId: string;
  workflowId: string;
}

/** 'ListWorkflowEdges' return type */
export interface ListWorkflowEdgesResult {
  child_job_id: string;
  parent_job_id: string;
}

/** 'ListWorkflowEdges' query type */
export interface ListWorkflowEdgesQuery {
  params: ListWorkflowEdgesParams;
  result: ListWorkflowEdgesResult;
}

const listWorkflowEdgesIR: any = {"usedParamSet":{"organizationId":true,"workflowId":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":311,"b":326}]},{"name":"workflowId","required":true,"transform":{"type":"scalar"},"locs":[{"a":348,"b":359}]}],"statement":"-- The dependencies of the jobs of a workflow, including those on other jobs.\n-- Relies on the primary keys of workflow_jobs and job_dependencies.\nSELECT d.depends_on_job_id AS parent_job_id, d.job_id AS child_job_id\nFROM workflow_jobs m\nJOIN job_dependencies d ON d.job_id = m.job_id\nWHERE m.organization_id = :organizationId! AND m.workflow_id = :workflowId!\nORDER BY d.depends_on_job_id, d.job_id"};

/**
 * Query generated from SQL:
 * ```
 * -- The dependencies of the jobs of a workflow, including those on other jobs.
 * -- Relies on the primary keys of workflow_jobs and job_dependencies.
 * SELECT d.depends_on_job_id AS parent_job_id, d.job_id AS child_job_id
 * FROM workflow_jobs m
 * JOIN job_dependencies d ON d.job_id = m.job_id
 * WHERE m.organization_id = :organizationId! AND m.workflow_id = :workflowId!
 * ORDER BY d.depends_on_job_id, d.job_id
 * ```
 */
export const listWorkflowEdges = new PreparedQuery<ListWorkflowEdgesParams,ListWorkflowEdgesResult>(listWorkflowEdgesIR);


