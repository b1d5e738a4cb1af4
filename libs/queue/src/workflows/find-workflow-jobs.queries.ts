/** Types generated for queries found in "libs/queue/src/workflows/find-workflow-jobs.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'FindWorkflowJobs' parameters type */
export interface FindWorkflowJobsParams {
  id: string;
  organizationId: string;
}

/** 'FindWorkflowJobs' return type */
export interface FindWorkflowJobsResult {
  job_ids: stringArray;
  queue_names: stringArray;
  status: string;
}

/** 'FindWorkflowJobs' query type */
export interface FindWorkflowJobsQuery {
  params: FindWorkflowJobsParams;
  result: FindWorkflowJobsResult;
}

const findWorkflowJobsIR: any = {"usedParamSet":{"organizationId":true,"id":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":241,"b":256}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":269,"b":272}]}],"statement":"-- A workflow and its jobs. Relies on: workflows and workflow_jobs primary keys.\nSELECT w.status, w.queue_names, ARRAY(SELECT m.job_id FROM workflow_jobs m WHERE m.workflow_id = w.id) AS \"job_ids!\"\nFROM workflows w\nWHERE w.organization_id = :organizationId! AND w.id = :id!"};

/**
 * Query generated from SQL:
 * ```
 * -- A workflow and its jobs. Relies on: workflows and workflow_jobs primary keys.
 * SELECT w.status, w.queue_names, ARRAY(SELECT m.job_id FROM workflow_jobs m WHERE m.workflow_id = w.id) AS "job_ids!"
 * FROM workflows w
 * WHERE w.organization_id = :organizationId! AND w.id = :id!
 * ```
 */
export const findWorkflowJobs = new PreparedQuery<FindWorkflowJobsParams,FindWorkflowJobsResult>(findWorkflowJobsIR);


