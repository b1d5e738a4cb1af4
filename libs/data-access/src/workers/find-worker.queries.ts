/** Types generated for queries found in "libs/data-access/src/workers/find-worker.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'FindWorker' parameters type */
export interface FindWorkerParams {
  id: string;
  organizationId: string;
  queues?: stringArray | null | void;
}

/** 'FindWorker' return type */
export interface FindWorkerResult {
  current_jobs: number;
  hostname: string;
  id: string;
  jobs_failed: number;
  jobs_processed: number;
  last_heartbeat: string;
  max_concurrency: number;
  metadata: string;
  organization_id: string;
  queue_name: string;
  registered_at: string;
  status: string;
  updated_at: string;
  version: string | null;
  worker_type: string | null;
}

/** 'FindWorker' query type */
export interface FindWorkerQuery {
  params: FindWorkerParams;
  result: FindWorkerResult;
}

const findWorkerIR: any = {"usedParamSet":{"organizationId":true,"id":true,"queues":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":328,"b":343},{"a":1040,"b":1055}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":466,"b":469},{"a":1066,"b":1069}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":1076,"b":1082},{"a":1121,"b":1127}]}],"statement":"-- One worker.\n-- :queues that the caller may access, null = all.\n-- What was counted and not yet merged into the worker's row is added: normally the batches of a few seconds, at most the newest 10,000.\nWITH pending AS (\n  SELECT d.worker, c.at, c.failed, d.jobs\n  FROM (\n    SELECT * FROM worker_counts WHERE organization_id = :organizationId! ORDER BY id DESC LIMIT 10000\n  ) AS c CROSS JOIN LATERAL unnest(c.workers, c.jobs) AS d(worker, jobs)\n  WHERE d.worker = :id!\n)\nSELECT\n  id, organization_id, queue_name, hostname, worker_type, max_concurrency, current_jobs, status, last_heartbeat, metadata::text AS \"metadata!\",\n  version, registered_at, updated_at,\n  (jobs_processed + coalesce((\n    SELECT sum(p.jobs) FROM pending p WHERE p.worker = workers.id AND NOT p.failed AND p.at >= registered_at), 0))::bigint AS \"jobs_processed!\",\n  (jobs_failed + coalesce((\n    SELECT sum(p.jobs) FROM pending p WHERE p.worker = workers.id AND p.failed AND p.at >= registered_at), 0))::bigint AS \"jobs_failed!\"\nFROM workers\nWHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))"};

/**
 * Query generated from SQL:
 * ```
 * -- One worker.
 * -- :queues that the caller may access, null = all.
 * -- What was counted and not yet merged into the worker's row is added: normally the batches of a few seconds, at most the newest 10,000.
 * WITH pending AS (
 *   SELECT d.worker, c.at, c.failed, d.jobs
 *   FROM (
 *     SELECT * FROM worker_counts WHERE organization_id = :organizationId! ORDER BY id DESC LIMIT 10000
 *   ) AS c CROSS JOIN LATERAL unnest(c.workers, c.jobs) AS d(worker, jobs)
 *   WHERE d.worker = :id!
 * )
 * SELECT
 *   id, organization_id, queue_name, hostname, worker_type, max_concurrency, current_jobs, status, last_heartbeat, metadata::text AS "metadata!",
 *   version, registered_at, updated_at,
 *   (jobs_processed + coalesce((
 *     SELECT sum(p.jobs) FROM pending p WHERE p.worker = workers.id AND NOT p.failed AND p.at >= registered_at), 0))::bigint AS "jobs_processed!",
 *   (jobs_failed + coalesce((
 *     SELECT sum(p.jobs) FROM pending p WHERE p.worker = workers.id AND p.failed AND p.at >= registered_at), 0))::bigint AS "jobs_failed!"
 * FROM workers
 * WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 * ```
 */
export const findWorker = new PreparedQuery<FindWorkerParams,FindWorkerResult>(findWorkerIR);


