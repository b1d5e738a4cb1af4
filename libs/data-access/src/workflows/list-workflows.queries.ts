/** Types generated for queries found in "libs/data-access/src/workflows/list-workflows.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'ListWorkflows' parameters type */
export interface ListWorkflowsParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  id?: string | null | void;
  kind: string;
  limit: number;
  offset: number;
  organizationId: string;
  queues?: stringArray | null | void;
  rows: number;
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

const listWorkflowsIR: any = {"usedParamSet":{"organizationId":true,"id":true,"kind":true,"afterTime":true,"afterId":true,"rows":true,"queues":true,"statuses":true,"limit":true,"offset":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":1082,"b":1097}]},{"name":"id","required":false,"transform":{"type":"scalar"},"locs":[{"a":1104,"b":1106},{"a":1130,"b":1132}]},{"name":"kind","required":true,"transform":{"type":"scalar"},"locs":[{"a":1144,"b":1149},{"a":1203,"b":1208}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":1275,"b":1284},{"a":1330,"b":1339}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":1342,"b":1349}]},{"name":"rows","required":true,"transform":{"type":"scalar"},"locs":[{"a":1401,"b":1406}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":2295,"b":2301},{"a":2339,"b":2345}]},{"name":"statuses","required":false,"transform":{"type":"scalar"},"locs":[{"a":2437,"b":2445},{"a":2482,"b":2490},{"a":2514,"b":2522},{"a":2559,"b":2567},{"a":2607,"b":2615}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":2663,"b":2669}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":2678,"b":2685}]}],"statement":"-- Workflows, newest first, among the next :rows of a kind; or one of them. Finished workflows have stored counters; those of open and\n-- cancelled workflows are counted from their jobs, at most 100 each.\n-- :id null = all; :kind all, open or unsuccessful; :queues that the caller may access, null = all; :statuses null = any; :afterTime and\n-- :afterId of the last workflow of the previous page, null = the first page.\n-- Relies on workflows_newest, workflows_open or workflows_unsuccessful, and the primary keys of workflows, workflow_jobs, jobs and job_queue.\nSELECT\n  w.id, w.organization_id, w.name, w.description, seen.status AS \"status!\", w.total_jobs,\n  CASE WHEN kept.ended THEN w.completed_jobs ELSE n.completed END AS \"completed_jobs!\",\n  CASE WHEN kept.ended THEN w.failed_jobs ELSE n.failed END AS \"failed_jobs!\",\n  n.pending AS \"pending_jobs!\", n.processing AS \"processing_jobs!\", w.metadata::text AS metadata, w.created_at,\n  coalesce(w.started_at, n.started_at) AS started_at, w.completed_at, w.queue_names\nFROM (\n  SELECT * FROM workflows\n  WHERE organization_id = :organizationId! AND (:id::uuid IS NULL OR id = :id)\n    AND (:kind! <> 'open' OR status IN ('pending', 'running')) AND (:kind! <> 'unsuccessful' OR status IN ('failed', 'cancelled'))\n    AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))\n  ORDER BY created_at DESC, id DESC LIMIT :rows!\n) w\nCROSS JOIN LATERAL (SELECT w.status IN ('completed', 'failed') AS ended) kept\nCROSS JOIN LATERAL (\n  SELECT\n    count(*) FILTER (WHERE j.outcome = 'completed')::int AS completed,\n    count(*) FILTER (WHERE j.outcome IN ('failed', 'deadletter'))::int AS failed,\n    count(*) FILTER (WHERE q.state <> 'leased')::int AS pending,\n    count(*) FILTER (WHERE q.state = 'leased')::int AS processing,\n    min(coalesce(q.started_at, j.started_at)) AS started_at\n  FROM workflow_jobs m\n  JOIN jobs j ON j.id = m.job_id\n  LEFT JOIN job_queue q ON q.job_id = j.id\n  WHERE m.workflow_id = w.id AND NOT kept.ended\n) n\n-- A claim does not update the workflow, to keep claims fast: a pending workflow is running as soon as one of its jobs has started.\nCROSS JOIN LATERAL (\n  SELECT CASE WHEN w.status = 'pending' AND n.started_at IS NOT NULL THEN 'running' ELSE w.status END AS status\n) seen\nWHERE (:queues::text[] IS NULL OR w.queue_names <@ :queues)\n  -- The stored status is checked first, so that jobs are read only if necessary.\n  AND (:statuses::text[] IS NULL OR w.status = ANY (:statuses) OR ('running' = ANY (:statuses) AND w.status = 'pending'))\n  AND (:statuses::text[] IS NULL OR seen.status = ANY (:statuses))\nORDER BY w.created_at DESC, w.id DESC\nLIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- Workflows, newest first, among the next :rows of a kind; or one of them. Finished workflows have stored counters; those of open and
 * -- cancelled workflows are counted from their jobs, at most 100 each.
 * -- :id null = all; :kind all, open or unsuccessful; :queues that the caller may access, null = all; :statuses null = any; :afterTime and
 * -- :afterId of the last workflow of the previous page, null = the first page.
 * -- Relies on workflows_newest, workflows_open or workflows_unsuccessful, and the primary keys of workflows, workflow_jobs, jobs and job_queue.
 * SELECT
 *   w.id, w.organization_id, w.name, w.description, seen.status AS "status!", w.total_jobs,
 *   CASE WHEN kept.ended THEN w.completed_jobs ELSE n.completed END AS "completed_jobs!",
 *   CASE WHEN kept.ended THEN w.failed_jobs ELSE n.failed END AS "failed_jobs!",
 *   n.pending AS "pending_jobs!", n.processing AS "processing_jobs!", w.metadata::text AS metadata, w.created_at,
 *   coalesce(w.started_at, n.started_at) AS started_at, w.completed_at, w.queue_names
 * FROM (
 *   SELECT * FROM workflows
 *   WHERE organization_id = :organizationId! AND (:id::uuid IS NULL OR id = :id)
 *     AND (:kind! <> 'open' OR status IN ('pending', 'running')) AND (:kind! <> 'unsuccessful' OR status IN ('failed', 'cancelled'))
 *     AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
 *   ORDER BY created_at DESC, id DESC LIMIT :rows!
 * ) w
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
 * WHERE (:queues::text[] IS NULL OR w.queue_names <@ :queues)
 *   -- The stored status is checked first, so that jobs are read only if necessary.
 *   AND (:statuses::text[] IS NULL OR w.status = ANY (:statuses) OR ('running' = ANY (:statuses) AND w.status = 'pending'))
 *   AND (:statuses::text[] IS NULL OR seen.status = ANY (:statuses))
 * ORDER BY w.created_at DESC, w.id DESC
 * LIMIT :limit! OFFSET :offset!
 * ```
 */
export const listWorkflows = new PreparedQuery<ListWorkflowsParams,ListWorkflowsResult>(listWorkflowsIR);


/** 'FindWorkflowsEnd' parameters type */
export interface FindWorkflowsEndParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  kind: string;
  organizationId: string;
  rows: number;
}

/** 'FindWorkflowsEnd' return type */
export interface FindWorkflowsEndResult {
  at: string;
  id: string;
}

/** 'FindWorkflowsEnd' query type */
export interface FindWorkflowsEndQuery {
  params: FindWorkflowsEndParams;
  result: FindWorkflowsEndResult;
}

const findWorkflowsEndIR: any = {"usedParamSet":{"organizationId":true,"kind":true,"afterTime":true,"afterId":true,"rows":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":143,"b":158}]},{"name":"kind","required":true,"transform":{"type":"scalar"},"locs":[{"a":167,"b":172},{"a":226,"b":231}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":296,"b":305},{"a":351,"b":360}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":363,"b":370}]},{"name":"rows","required":true,"transform":{"type":"scalar"},"locs":[{"a":429,"b":434}]}],"statement":"-- The last of the next :rows workflows of a kind; none if there are fewer.\nSELECT created_at AS at, id FROM workflows\nWHERE organization_id = :organizationId!\n  AND (:kind! <> 'open' OR status IN ('pending', 'running')) AND (:kind! <> 'unsuccessful' OR status IN ('failed', 'cancelled'))\n  AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))\nORDER BY created_at DESC, id DESC LIMIT 1 OFFSET :rows!::bigint - 1"};

/**
 * Query generated from SQL:
 * ```
 * -- The last of the next :rows workflows of a kind; none if there are fewer.
 * SELECT created_at AS at, id FROM workflows
 * WHERE organization_id = :organizationId!
 *   AND (:kind! <> 'open' OR status IN ('pending', 'running')) AND (:kind! <> 'unsuccessful' OR status IN ('failed', 'cancelled'))
 *   AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
 * ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET :rows!::bigint - 1
 * ```
 */
export const findWorkflowsEnd = new PreparedQuery<FindWorkflowsEndParams,FindWorkflowsEndResult>(findWorkflowsEndIR);


