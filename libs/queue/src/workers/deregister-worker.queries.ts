/** Types generated for queries found in "libs/queue/src/workers/deregister-worker.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'DeregisterWorker' parameters type */
export interface DeregisterWorkerParams {
  id: string;
  organizationId: string;
  queues?: stringArray | null | void;
  startedUntil?: string | null | void;
}

/** 'DeregisterWorker' return type */
export interface DeregisterWorkerResult {
  job_id: string | null;
  lease_id: string | null;
  now: string;
  queue_name: string | null;
  worker_queue: string;
}

/** 'DeregisterWorker' query type */
export interface DeregisterWorkerQuery {
  params: DeregisterWorkerParams;
  result: DeregisterWorkerResult;
}

const deregisterWorkerIR: any = {"usedParamSet":{"organizationId":true,"id":true,"queues":true,"startedUntil":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":407,"b":422},{"a":704,"b":719},{"a":1223,"b":1238}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":433,"b":436}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":443,"b":449},{"a":488,"b":494}]},{"name":"startedUntil","required":false,"transform":{"type":"scalar"},"locs":[{"a":753,"b":765},{"a":807,"b":819}]}],"statement":"-- Marks a worker offline and gives back its jobs. One row per job, or one with nulls; none when the worker is unknown.\n-- :queues that the key may touch, null = all; :startedUntil the moment up to which leases were granted that are given back, or\n-- null. Relies on: job_queue_leased.\nWITH worker AS (\n  UPDATE workers SET status = 'offline', current_jobs = 0, updated_at = now()\n  WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))\n  RETURNING id, queue_name\n), held AS MATERIALIZED (\n  SELECT q.job_id, q.lease_id, q.worker_id, q.started_at, q.retry_count FROM job_queue q JOIN worker w ON q.worker_id = w.id\n  WHERE q.organization_id = :organizationId! AND q.state = 'leased'\n    AND (:startedUntil::timestamptz IS NULL OR q.started_at <= :startedUntil)\n  ORDER BY q.job_id FOR UPDATE OF q\n), released AS (\n  UPDATE job_queue q SET state = 'ready', worker_id = NULL, lease_id = NULL, lease_expires_at = NULL, started_at = NULL\n  FROM held h WHERE q.job_id = h.job_id RETURNING q.job_id, q.queue_name, h.lease_id\n), past AS (\n  INSERT INTO job_history (organization_id, job_id, at, event, attempt, worker_id, started_at, lease_id, actor, details)\n  SELECT :organizationId!, job_id, statement_timestamp(), 'released', retry_count + 1, worker_id, started_at, lease_id,\n    nullif(current_setting('app.actor', true), ''), json_build_object('reason', nullif(current_setting('app.reason', true), ''))\n  FROM held\n)\nSELECT w.queue_name AS worker_queue, r.job_id AS \"job_id?\", r.queue_name AS \"queue_name?\", r.lease_id, now() AS \"now!\"\nFROM worker w LEFT JOIN released r ON true"};

/**
 * Query generated from SQL:
 * ```
 * -- Marks a worker offline and gives back its jobs. One row per job, or one with nulls; none when the worker is unknown.
 * -- :queues that the key may touch, null = all; :startedUntil the moment up to which leases were granted that are given back, or
 * -- null. Relies on: job_queue_leased.
 * WITH worker AS (
 *   UPDATE workers SET status = 'offline', current_jobs = 0, updated_at = now()
 *   WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 *   RETURNING id, queue_name
 * ), held AS MATERIALIZED (
 *   SELECT q.job_id, q.lease_id, q.worker_id, q.started_at, q.retry_count FROM job_queue q JOIN worker w ON q.worker_id = w.id
 *   WHERE q.organization_id = :organizationId! AND q.state = 'leased'
 *     AND (:startedUntil::timestamptz IS NULL OR q.started_at <= :startedUntil)
 *   ORDER BY q.job_id FOR UPDATE OF q
 * ), released AS (
 *   UPDATE job_queue q SET state = 'ready', worker_id = NULL, lease_id = NULL, lease_expires_at = NULL, started_at = NULL
 *   FROM held h WHERE q.job_id = h.job_id RETURNING q.job_id, q.queue_name, h.lease_id
 * ), past AS (
 *   INSERT INTO job_history (organization_id, job_id, at, event, attempt, worker_id, started_at, lease_id, actor, details)
 *   SELECT :organizationId!, job_id, statement_timestamp(), 'released', retry_count + 1, worker_id, started_at, lease_id,
 *     nullif(current_setting('app.actor', true), ''), json_build_object('reason', nullif(current_setting('app.reason', true), ''))
 *   FROM held
 * )
 * SELECT w.queue_name AS worker_queue, r.job_id AS "job_id?", r.queue_name AS "queue_name?", r.lease_id, now() AS "now!"
 * FROM worker w LEFT JOIN released r ON true
 * ```
 */
export const deregisterWorker = new PreparedQuery<DeregisterWorkerParams,DeregisterWorkerResult>(deregisterWorkerIR);


