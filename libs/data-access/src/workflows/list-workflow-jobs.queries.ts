/** Types generated for queries found in "libs/data-access/src/workflows/list-workflow-jobs.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type stringArray = (string)[];

/** 'ListWorkflowJobs' parameters type */
export interface ListWorkflowJobsParams {
  jobId?: string | null | void;
  organizationId: string;
  workflowId: string;
}

/** 'ListWorkflowJobs' return type */
export interface ListWorkflowJobsResult {
  completed_at: string | null;
  created_at: string;
  dependency_mode: string;
  depends_on: stringArray;
  id: string;
  job_type: string;
  key: string;
  last_error: string | null;
  max_retries: number;
  organization_id: string;
  parent_job_id: string | null;
  payload: string;
  priority: number;
  queue_name: string;
  result: string | null;
  retry_count: number;
  scheduled_at: string | null;
  started_at: string | null;
  status: job_status;
  tags: string | null;
  timeout_seconds: number;
  updated_at: string;
}

/** 'ListWorkflowJobs' query type */
export interface ListWorkflowJobsQuery {
  params: ListWorkflowJobsParams;
  result: ListWorkflowJobsResult;
}

const listWorkflowJobsIR: any = {"usedParamSet":{"organizationId":true,"workflowId":true,"jobId":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":1080,"b":1095},{"a":1123,"b":1138}]},{"name":"workflowId","required":true,"transform":{"type":"scalar"},"locs":[{"a":1160,"b":1171}]},{"name":"jobId","required":false,"transform":{"type":"scalar"},"locs":[{"a":1178,"b":1183},{"a":1213,"b":1218}]}],"statement":"-- The jobs of a workflow ordered by id, which is a topological order. Deleted jobs are omitted.\n-- :jobId null = all.\n-- Relies on the primary keys of workflow_jobs, jobs, job_queue and job_dependencies, and workflow_jobs_job.\nSELECT\n  r.id AS \"id!\", r.organization_id AS \"organization_id!\", m.key, r.queue_name AS \"queue_name!\", r.job_type AS \"job_type!\",\n  r.payload AS \"payload!\", r.result, r.status::job_status AS \"status!\", r.priority AS \"priority!\", r.retry_count AS \"retry_count!\",\n  r.max_retries AS \"max_retries!\", r.timeout_seconds AS \"timeout_seconds!\", r.created_at AS \"created_at!\", r.scheduled_at,\n  r.started_at, r.completed_at, r.updated_at AS \"updated_at!\", r.last_error, r.tags::text AS tags, r.parent_job_id,\n  coalesce(r.dependency_mode, 'all') AS \"dependency_mode!\",\n  ARRAY(\n    SELECT p.key FROM job_dependencies d JOIN workflow_jobs p ON p.job_id = d.depends_on_job_id AND p.workflow_id = m.workflow_id\n    WHERE d.job_id = m.job_id ORDER BY p.job_id\n  ) AS \"depends_on!\"\nFROM workflow_jobs m\nJOIN job_records r ON r.id = m.job_id AND r.organization_id = :organizationId!\nWHERE m.organization_id = :organizationId! AND m.workflow_id = :workflowId! AND (:jobId::uuid IS NULL OR m.job_id = :jobId)\nORDER BY r.id"};

/**
 * Query generated from SQL:
 * ```
 * -- The jobs of a workflow ordered by id, which is a topological order. Deleted jobs are omitted.
 * -- :jobId null = all.
 * -- Relies on the primary keys of workflow_jobs, jobs, job_queue and job_dependencies, and workflow_jobs_job.
 * SELECT
 *   r.id AS "id!", r.organization_id AS "organization_id!", m.key, r.queue_name AS "queue_name!", r.job_type AS "job_type!",
 *   r.payload AS "payload!", r.result, r.status::job_status AS "status!", r.priority AS "priority!", r.retry_count AS "retry_count!",
 *   r.max_retries AS "max_retries!", r.timeout_seconds AS "timeout_seconds!", r.created_at AS "created_at!", r.scheduled_at,
 *   r.started_at, r.completed_at, r.updated_at AS "updated_at!", r.last_error, r.tags::text AS tags, r.parent_job_id,
 *   coalesce(r.dependency_mode, 'all') AS "dependency_mode!",
 *   ARRAY(
 *     SELECT p.key FROM job_dependencies d JOIN workflow_jobs p ON p.job_id = d.depends_on_job_id AND p.workflow_id = m.workflow_id
 *     WHERE d.job_id = m.job_id ORDER BY p.job_id
 *   ) AS "depends_on!"
 * FROM workflow_jobs m
 * JOIN job_records r ON r.id = m.job_id AND r.organization_id = :organizationId!
 * WHERE m.organization_id = :organizationId! AND m.workflow_id = :workflowId! AND (:jobId::uuid IS NULL OR m.job_id = :jobId)
 * ORDER BY r.id
 * ```
 */
export const listWorkflowJobs = new PreparedQuery<ListWorkflowJobsParams,ListWorkflowJobsResult>(listWorkflowJobsIR);


