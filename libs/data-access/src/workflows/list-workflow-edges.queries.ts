/** Types generated for queries found in "libs/data-access/src/workflows/list-workflow-edges.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ListWorkflowEdges' parameters type */
export interface ListWorkflowEdgesParams {
  limit: number;
  organizationId: string;
  workflowId: string;
}

/** 'ListWorkflowEdges' return type */
export interface ListWorkflowEdgesResult {
  child_job_id: string;
  parent_job_id: string;
  total: number;
}

/** 'ListWorkflowEdges' query type */
export interface ListWorkflowEdgesQuery {
  params: ListWorkflowEdgesParams;
  result: ListWorkflowEdgesResult;
}

const listWorkflowEdgesIR: any = {"usedParamSet":{"organizationId":true,"workflowId":true,"limit":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":602,"b":617}]},{"name":"workflowId","required":true,"transform":{"type":"scalar"},"locs":[{"a":639,"b":650}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":717,"b":723}]}],"statement":"-- The dependencies of the jobs of a workflow, including those on other jobs: at most :limit of `total`, those within the workflow first.\n-- Relies on the primary keys of workflow_jobs and job_dependencies.\nSELECT parent_job_id AS \"parent_job_id!\", child_job_id AS \"child_job_id!\", total AS \"total!\" FROM (\n  SELECT d.depends_on_job_id AS parent_job_id, d.job_id AS child_job_id, count(*) OVER () AS total\n  FROM workflow_jobs m\n  JOIN job_dependencies d ON d.job_id = m.job_id\n  LEFT JOIN workflow_jobs p ON p.workflow_id = m.workflow_id AND p.job_id = d.depends_on_job_id\n  WHERE m.organization_id = :organizationId! AND m.workflow_id = :workflowId!\n  ORDER BY p.job_id IS NULL, d.depends_on_job_id, d.job_id LIMIT :limit!\n) AS edges\nORDER BY parent_job_id, child_job_id"};

/**
 * Query generated from SQL:
 * ```
 * -- The dependencies of the jobs of a workflow, including those on other jobs: at most :limit of `total`, those within the workflow first.
 * -- Relies on the primary keys of workflow_jobs and job_dependencies.
 * SELECT parent_job_id AS "parent_job_id!", child_job_id AS "child_job_id!", total AS "total!" FROM (
 *   SELECT d.depends_on_job_id AS parent_job_id, d.job_id AS child_job_id, count(*) OVER () AS total
 *   FROM workflow_jobs m
 *   JOIN job_dependencies d ON d.job_id = m.job_id
 *   LEFT JOIN workflow_jobs p ON p.workflow_id = m.workflow_id AND p.job_id = d.depends_on_job_id
 *   WHERE m.organization_id = :organizationId! AND m.workflow_id = :workflowId!
 *   ORDER BY p.job_id IS NULL, d.depends_on_job_id, d.job_id LIMIT :limit!
 * ) AS edges
 * ORDER BY parent_job_id, child_job_id
 * ```
 */
export const listWorkflowEdges = new PreparedQuery<ListWorkflowEdgesParams,ListWorkflowEdgesResult>(listWorkflowEdgesIR);


