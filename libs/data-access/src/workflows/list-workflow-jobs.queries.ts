/** Types generated for queries found in "libs/data-access/src/workflows/list-workflow-jobs.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type stringArray = (string)[];

/** 'ListWorkflowJobs' parameters type */
export interface ListWorkflowJobsParams {
  after?: string | null | void;
  jobId?: string | null | void;
  limit?: number | null | void;
  maxBytes: number;
  offset: number;
  organizationId: string;
  workflowId: string;
}

/** 'ListWorkflowJobs' return type */
export interface ListWorkflowJobsResult {
  completed_at: string | null;
  created_at: string;
  dependency_mode: string;
  depends_on: stringArray;
  documents_omitted: boolean;
  id: string;
  job_type: string;
  key: string;
  last_error: string | null;
  max_retries: number;
  organization_id: string;
  parent_job_id: string | null;
  payload: string | null;
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

const listWorkflowJobsIR: any = {"usedParamSet":{"organizationId":true,"workflowId":true,"jobId":true,"after":true,"limit":true,"offset":true,"maxBytes":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":987,"b":1002},{"a":1032,"b":1047}]},{"name":"workflowId","required":true,"transform":{"type":"scalar"},"locs":[{"a":1069,"b":1080},{"a":2354,"b":2365}]},{"name":"jobId","required":false,"transform":{"type":"scalar"},"locs":[{"a":1087,"b":1092},{"a":1122,"b":1127}]},{"name":"after","required":false,"transform":{"type":"scalar"},"locs":[{"a":1139,"b":1144},{"a":1174,"b":1179}]},{"name":"limit","required":false,"transform":{"type":"scalar"},"locs":[{"a":1204,"b":1209}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":1218,"b":1225},{"a":1321,"b":1328}]},{"name":"maxBytes","required":true,"transform":{"type":"scalar"},"locs":[{"a":1570,"b":1579}]}],"statement":"-- The jobs of a workflow ordered by id, which is a topological order. Deleted jobs are omitted.\n-- :jobId null = all; :after id of the last job of the previous page, null = the first page; :limit null = all.\n-- Payloads and results are those of the first jobs, until they have :maxBytes; the documents of the others are not read.\n-- Relies on the primary keys of workflow_jobs, jobs, job_queue and job_dependencies, and workflow_jobs_job.\nWITH RECURSIVE page AS MATERIALIZED (\n  SELECT\n    row_number() OVER (ORDER BY r.id) AS place, r.id, r.organization_id, m.key, r.queue_name, r.job_type, r.payload, r.result,\n    r.status::job_status AS status, r.priority, r.retry_count, r.max_retries, r.timeout_seconds, r.created_at, r.scheduled_at,\n    r.started_at, r.completed_at, r.updated_at, r.last_error, r.tags::text AS tags, r.parent_job_id,\n    coalesce(r.dependency_mode, 'all') AS dependency_mode\n  FROM workflow_jobs m\n  JOIN job_records r ON r.id = m.job_id AND r.organization_id = :organizationId!\n  WHERE m.organization_id = :organizationId! AND m.workflow_id = :workflowId! AND (:jobId::uuid IS NULL OR m.job_id = :jobId)\n    AND (:after::uuid IS NULL OR m.job_id > :after)\n  ORDER BY r.id LIMIT :limit OFFSET :offset!\n), sized AS (\n  -- Job by job, because a sum over all jobs would read each document.\n  SELECT :offset!::bigint AS place, 0::bigint AS bytes_so_far\n  UNION ALL\n  SELECT p.place, s.bytes_so_far + octet_length(p.payload::text) + coalesce(octet_length(p.result::text), 0)\n  FROM sized s JOIN page p ON p.place = s.place + 1 WHERE s.bytes_so_far < :maxBytes!\n)\nSELECT\n  p.id AS \"id!\", p.organization_id AS \"organization_id!\", p.key, p.queue_name AS \"queue_name!\", p.job_type AS \"job_type!\",\n  CASE WHEN s.place IS NOT NULL THEN p.payload END AS payload, CASE WHEN s.place IS NOT NULL THEN p.result END AS result,\n  s.place IS NULL AS \"documents_omitted!\", p.status AS \"status!\", p.priority AS \"priority!\", p.retry_count AS \"retry_count!\",\n  p.max_retries AS \"max_retries!\", p.timeout_seconds AS \"timeout_seconds!\", p.created_at AS \"created_at!\", p.scheduled_at,\n  p.started_at, p.completed_at, p.updated_at AS \"updated_at!\", p.last_error, p.tags, p.parent_job_id,\n  p.dependency_mode AS \"dependency_mode!\",\n  ARRAY(\n    SELECT w.key FROM job_dependencies d JOIN workflow_jobs w ON w.job_id = d.depends_on_job_id AND w.workflow_id = :workflowId!\n    WHERE d.job_id = p.id ORDER BY w.job_id\n  ) AS \"depends_on!\"\nFROM page p LEFT JOIN sized s ON s.place = p.place\nORDER BY p.id"};

/**
 * Query generated from SQL:
 * ```
 * -- The jobs of a workflow ordered by id, which is a topological order. Deleted jobs are omitted.
 * -- :jobId null = all; :after id of the last job of the previous page, null = the first page; :limit null = all.
 * -- Payloads and results are those of the first jobs, until they have :maxBytes; the documents of the others are not read.
 * -- Relies on the primary keys of workflow_jobs, jobs, job_queue and job_dependencies, and workflow_jobs_job.
 * WITH RECURSIVE page AS MATERIALIZED (
 *   SELECT
 *     row_number() OVER (ORDER BY r.id) AS place, r.id, r.organization_id, m.key, r.queue_name, r.job_type, r.payload, r.result,
 *     r.status::job_status AS status, r.priority, r.retry_count, r.max_retries, r.timeout_seconds, r.created_at, r.scheduled_at,
 *     r.started_at, r.completed_at, r.updated_at, r.last_error, r.tags::text AS tags, r.parent_job_id,
 *     coalesce(r.dependency_mode, 'all') AS dependency_mode
 *   FROM workflow_jobs m
 *   JOIN job_records r ON r.id = m.job_id AND r.organization_id = :organizationId!
 *   WHERE m.organization_id = :organizationId! AND m.workflow_id = :workflowId! AND (:jobId::uuid IS NULL OR m.job_id = :jobId)
 *     AND (:after::uuid IS NULL OR m.job_id > :after)
 *   ORDER BY r.id LIMIT :limit OFFSET :offset!
 * ), sized AS (
 *   -- Job by job, because a sum over all jobs would read each document.
 *   SELECT :offset!::bigint AS place, 0::bigint AS bytes_so_far
 *   UNION ALL
 *   SELECT p.place, s.bytes_so_far + octet_length(p.payload::text) + coalesce(octet_length(p.result::text), 0)
 *   FROM sized s JOIN page p ON p.place = s.place + 1 WHERE s.bytes_so_far < :maxBytes!
 * )
 * SELECT
 *   p.id AS "id!", p.organization_id AS "organization_id!", p.key, p.queue_name AS "queue_name!", p.job_type AS "job_type!",
 *   CASE WHEN s.place IS NOT NULL THEN p.payload END AS payload, CASE WHEN s.place IS NOT NULL THEN p.result END AS result,
 *   s.place IS NULL AS "documents_omitted!", p.status AS "status!", p.priority AS "priority!", p.retry_count AS "retry_count!",
 *   p.max_retries AS "max_retries!", p.timeout_seconds AS "timeout_seconds!", p.created_at AS "created_at!", p.scheduled_at,
 *   p.started_at, p.completed_at, p.updated_at AS "updated_at!", p.last_error, p.tags, p.parent_job_id,
 *   p.dependency_mode AS "dependency_mode!",
 *   ARRAY(
 *     SELECT w.key FROM job_dependencies d JOIN workflow_jobs w ON w.job_id = d.depends_on_job_id AND w.workflow_id = :workflowId!
 *     WHERE d.job_id = p.id ORDER BY w.job_id
 *   ) AS "depends_on!"
 * FROM page p LEFT JOIN sized s ON s.place = p.place
 * ORDER BY p.id
 * ```
 */
export const listWorkflowJobs = new PreparedQuery<ListWorkflowJobsParams,ListWorkflowJobsResult>(listWorkflowJobsIR);


