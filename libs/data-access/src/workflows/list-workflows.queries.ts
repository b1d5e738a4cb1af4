/** Types generated for queries found in "libs/data-access/src/workflows/list-workflows.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'ListWorkflows' parameters type */
export interface ListWorkflowsParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  id?: string | null | void;
  limit: number;
  offset: number;
  organizationId: string;
  queues?: stringArray | null | void;
  statuses?: stringArray | null | void;
}

/** 'ListWorkflows' return type */
export interface ListWorkflowsResult {
  completed_at: string | null;
  completed_jobs: number;
  created_at: string;
  description: string | null;
  failed_jobs: number;
  id: string;
  metadata: string | null;
  name: string;
  organization_id: string;
  pending_jobs: number;
  processing_jobs: number;
  queue_names: stringArray;
  started_at: string | null;
  status: string;
  total_jobs: number;
}

/** 'ListWorkflows' query type */
export interface ListWorkflowsQuery {
  params: ListWorkflowsParams;
  result: ListWorkflowsResult;
}

const listWorkflowsIR: any = {"usedParamSet":{"organizationId":true,"id":true,"queues":true,"afterTime":true,"afterId":true,"statuses":true,"limit":true,"offset":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":1834,"b":1849}]},{"name":"id","required":false,"transform":{"type":"scalar"},"locs":[{"a":1858,"b":1860},{"a":1886,"b":1888}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":1898,"b":1904},{"a":1942,"b":1948}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":1958,"b":1967},{"a":2017,"b":2026}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":2029,"b":2036}]},{"name":"statuses","required":false,"transform":{"type":"scalar"},"locs":[{"a":2135,"b":2143},{"a":2180,"b":2188},{"a":2212,"b":2220},{"a":2257,"b":2265},{"a":2305,"b":2313}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":2361,"b":2367}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":2376,"b":2383}]}],"statement":"-- Workflows, newest first, or one of them. Finished workflows have stored counters; those of open and cancelled workflows are\n-- counted from their jobs, at most 100 each.\n-- :id null = all; :queues that the caller may access, null = all; :statuses null = any; :afterTime and :afterId of the last workflow of\n-- the previous page, null = the first page.\n-- Relies on workflows_newest and the primary keys of workflows, workflow_jobs, jobs and job_queue.\nSELECT\n  w.id, w.organization_id, w.name, w.description, seen.status AS \"status!\", w.total_jobs,\n  CASE WHEN kept.ended THEN w.completed_jobs ELSE n.completed END AS \"completed_jobs!\",\n  CASE WHEN kept.ended THEN w.failed_jobs ELSE n.failed END AS \"failed_jobs!\",\n  n.pending AS \"pending_jobs!\", n.processing AS \"processing_jobs!\", w.metadata::text AS metadata, w.created_at,\n  coalesce(w.started_at, n.started_at) AS started_at, w.completed_at, w.queue_names\nFROM workflows w\nCROSS JOIN LATERAL (SELECT w.status IN ('completed', 'failed') AS ended) kept\nCROSS JOIN LATERAL (\n  SELECT\n    count(*) FILTER (WHERE j.outcome = 'completed')::int AS completed,\n    count(*) FILTER (WHERE j.outcome IN ('failed', 'deadletter'))::int AS failed,\n    count(*) FILTER (WHERE q.state <> 'leased')::int AS pending,\n    count(*) FILTER (WHERE q.state = 'leased')::int AS processing,\n    min(coalesce(q.started_at, j.started_at)) AS started_at\n  FROM workflow_jobs m\n  JOIN jobs j ON j.id = m.job_id\n  LEFT JOIN job_queue q ON q.job_id = j.id\n  WHERE m.workflow_id = w.id AND NOT kept.ended\n) n\n-- A claim does not update the workflow, to keep claims fast: a pending workflow is running as soon as one of its jobs has started.\nCROSS JOIN LATERAL (\n  SELECT CASE WHEN w.status = 'pending' AND n.started_at IS NOT NULL THEN 'running' ELSE w.status END AS status\n) seen\nWHERE w.organization_id = :organizationId!\n  AND (:id::uuid IS NULL OR w.id = :id)\n  AND (:queues::text[] IS NULL OR w.queue_names <@ :queues)\n  AND (:afterTime::timestamptz IS NULL OR (w.created_at, w.id) < (:afterTime, :afterId::uuid))\n  -- The stored status is checked first, so that jobs are read only if necessary.\n  AND (:statuses::text[] IS NULL OR w.status = ANY (:statuses) OR ('running' = ANY (:statuses) AND w.status = 'pending'))\n  AND (:statuses::text[] IS NULL OR seen.status = ANY (:statuses))\nORDER BY w.created_at DESC, w.id DESC\nLIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- Workflows, newest first, or one of them. Finished workflows have stored counters; those of open and cancelled workflows are
 * -- counted from their jobs, at most 100 each.
 * -- :id null = all; :queues that the caller may access, null = all; :statuses null = any; :afterTime and :afterId of the last workflow of
 * -- the previous page, null = the first page.
 * -- Relies on workflows_newest and the primary keys of workflows, workflow_jobs, jobs and job_queue.
 * SELECT
 *   w.id, w.organization_id, w.name, w.description, seen.status AS "status!", w.total_jobs,
 *   CASE WHEN kept.ended THEN w.completed_jobs ELSE n.completed END AS "completed_jobs!",
 *   CASE WHEN kept.ended THEN w.failed_jobs ELSE n.failed END AS "failed_jobs!",
 *   n.pending AS "pending_jobs!", n.processing AS "processing_jobs!", w.metadata::text AS metadata, w.created_at,
 *   coalesce(w.started_at, n.started_at) AS started_at, w.completed_at, w.queue_names
 * FROM workflows w
 * CROSS JOIN LATERAL (SELECT w.status IN ('completed', 'failed') AS ended) kept
 * CROSS JOIN LATERAL (
 *   SELECT
 *     count(*) FILTER (WHERE j.outcome = 'completed')::int AS completed,
 *     count(*) FILTER (WHERE j.outcome IN ('failed', 'deadletter'))::int AS failed,
 *     count(*) FILTER (WHERE q.state <> 'leased')::int AS pending,
 *     count(*) FILTER (WHERE q.state = 'leased')::int AS processing,
 *     min(coalesce(q.started_at, j.started_at)) AS started_at
 *   FROM workflow_jobs m
 *   JOIN jobs j ON j.id = m.job_id
 *   LEFT JOIN job_queue q ON q.job_id = j.id
 *   WHERE m.workflow_id = w.id AND NOT kept.ended
 * ) n
 * -- A claim does not update the workflow, to keep claims fast: a pending workflow is running as soon as one of its jobs has started.
 * CROSS JOIN LATERAL (
 *   SELECT CASE WHEN w.status = 'pending' AND n.started_at IS NOT NULL THEN 'running' ELSE w.status END AS status
 * ) seen
 * WHERE w.organization_id = :organizationId!
 *   AND (:id::uuid IS NULL OR w.id = :id)
 *   AND (:queues::text[] IS NULL OR w.queue_names <@ :queues)
 *   AND (:afterTime::timestamptz IS NULL OR (w.created_at, w.id) < (:afterTime, :afterId::uuid))
 *   -- The stored status is checked first, so that jobs are read only if necessary.
 *   AND (:statuses::text[] IS NULL OR w.status = ANY (:statuses) OR ('running' = ANY (:statuses) AND w.status = 'pending'))
 *   AND (:statuses::text[] IS NULL OR seen.status = ANY (:statuses))
 * ORDER BY w.created_at DESC, w.id DESC
 * LIMIT :limit! OFFSET :offset!
 * ```
 */
export const listWorkflows = new PreparedQuery<ListWorkflowsParams,ListWorkflowsResult>(listWorkflowsIR);


