/** Types generated for queries found in "libs/data-access/src/workers/list-jobs-in-hand.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'ListJobsInHand' parameters type */
export interface ListJobsInHandParams {
  id: string;
  limit: number;
  organizationId: string;
  queues?: stringArray | null | void;
}

/** 'ListJobsInHand' return type */
export interface ListJobsInHandResult {
  id: string | null;
  job_type: string | null;
  lease_expires_at: string | null;
  lease_id: string | null;
  max_retries: number | null;
  now: string;
  priority: number | null;
  progress: number | null;
  progress_at: string | null;
  progress_message: string | null;
  queue_name: string | null;
  retry_count: number | null;
  started_at: string | null;
  timeout_seconds: number | null;
}

/** 'ListJobsInHand' query type */
export interface ListJobsInHandQuery {
  params: ListJobsInHandParams;
  result: ListJobsInHandResult;
}

const listJobsInHandIR: any = {"usedParamSet":{"organizationId":true,"id":true,"queues":true,"limit":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":504,"b":519},{"a":1062,"b":1077},{"a":1299,"b":1314}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":558,"b":561},{"a":1088,"b":1091}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":572,"b":578},{"a":617,"b":623},{"a":1098,"b":1104},{"a":1143,"b":1149}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":666,"b":672}]}],"statement":"-- The jobs that a worker holds, the oldest attempt first; and whether the worker is registered.\n-- :queues that the caller may access, null = all.\n-- Relies on job_queue_leased, of which PostgreSQL skips through the queues, and the primary keys of jobs and workers.\nWITH held AS MATERIALIZED (\n  SELECT job_id, lease_id, queue_name, retry_count, max_retries, priority, started_at, lease_expires_at, timeout_seconds, progress,\n    progress_message, progress_at\n  FROM job_queue\n  WHERE organization_id = :organizationId! AND state = 'leased' AND worker_id = :id!\n    AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))\n  ORDER BY queue_name, worker_id LIMIT :limit!\n)\nSELECT h.job_id AS \"id?\", h.lease_id AS \"lease_id?\", h.queue_name AS \"queue_name?\", j.job_type AS \"job_type?\", h.retry_count AS \"retry_count?\",\n  h.max_retries AS \"max_retries?\", h.priority AS \"priority?\", h.started_at, h.lease_expires_at, h.timeout_seconds, h.progress,\n  h.progress_message, h.progress_at, current_ts() AS \"now!\"\nFROM (\n  SELECT FROM workers\n  WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))\n  UNION ALL SELECT FROM (SELECT FROM held LIMIT 1) AS first\n  LIMIT 1\n) AS known\nLEFT JOIN held h ON true\nLEFT JOIN jobs j ON j.organization_id = :organizationId! AND j.id = h.job_id\nORDER BY h.started_at, h.job_id"};

/**
 * Query generated from SQL:
 * ```
 * -- The jobs that a worker holds, the oldest attempt first; and whether the worker is registered.
 * -- :queues that the caller may access, null = all.
 * -- Relies on job_queue_leased, of which PostgreSQL skips through the queues, and the primary keys of jobs and workers.
 * WITH held AS MATERIALIZED (
 *   SELECT job_id, lease_id, queue_name, retry_count, max_retries, priority, started_at, lease_expires_at, timeout_seconds, progress,
 *     progress_message, progress_at
 *   FROM job_queue
 *   WHERE organization_id = :organizationId! AND state = 'leased' AND worker_id = :id!
 *     AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 *   ORDER BY queue_name, worker_id LIMIT :limit!
 * )
 * SELECT h.job_id AS "id?", h.lease_id AS "lease_id?", h.queue_name AS "queue_name?", j.job_type AS "job_type?", h.retry_count AS "retry_count?",
 *   h.max_retries AS "max_retries?", h.priority AS "priority?", h.started_at, h.lease_expires_at, h.timeout_seconds, h.progress,
 *   h.progress_message, h.progress_at, current_ts() AS "now!"
 * FROM (
 *   SELECT FROM workers
 *   WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 *   UNION ALL SELECT FROM (SELECT FROM held LIMIT 1) AS first
 *   LIMIT 1
 * ) AS known
 * LEFT JOIN held h ON true
 * LEFT JOIN jobs j ON j.organization_id = :organizationId! AND j.id = h.job_id
 * ORDER BY h.started_at, h.job_id
 * ```
 */
export const listJobsInHand = new PreparedQuery<ListJobsInHandParams,ListJobsInHandResult>(listJobsInHandIR);


