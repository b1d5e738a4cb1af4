/** Types generated for queries found in "libs/data-access/src/workers/list-workers.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'ListWorkers' parameters type */
export interface ListWorkersParams {
  afterId?: string | null | void;
  byId: boolean;
  limit: number;
  offset: number;
  organizationId: string;
  queues?: stringArray | null | void;
}

/** 'ListWorkers' return type */
export interface ListWorkersResult {
  current_jobs: number;
  hostname: string;
  id: string;
  jobs_failed: number;
  jobs_processed: number;
  last_heartbeat: string;
  max_concurrency: number;
  queue_name: string;
  status: string;
}

/** 'ListWorkers' query type */
export interface ListWorkersQuery {
  params: ListWorkersParams;
  result: ListWorkersResult;
}

const listWorkersIR: any = {"usedParamSet":{"organizationId":true,"queues":true,"afterId":true,"byId":true,"limit":true,"offset":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":494,"b":509},{"a":917,"b":932}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":516,"b":522},{"a":561,"b":567}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":580,"b":587},{"a":611,"b":618}]},{"name":"byId","required":true,"transform":{"type":"scalar"},"locs":[{"a":646,"b":651},{"a":1426,"b":1430}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":694,"b":700}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":709,"b":716}]}],"statement":"-- The organization's workers, the latest heartbeat first; or by id, for pages that neither miss nor repeat a worker whose heartbeat\n-- arrives between them. Their counters are as in find-worker.sql.\n-- :queues that the caller may access, null = all; :afterId the last id of the previous page, null = the first page.\n-- Relies on workers_organization, or on the primary key; and on the primary key of worker_counts.\nWITH page AS MATERIALIZED (\n  SELECT * FROM workers\n  WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))\n    AND (:afterId::text IS NULL OR id > :afterId)\n  ORDER BY CASE WHEN NOT :byId! THEN last_heartbeat END DESC, id\n  LIMIT :limit! OFFSET :offset!\n), pending AS (\n  SELECT page.id, sum(d.jobs) FILTER (WHERE NOT c.failed) AS processed, sum(d.jobs) FILTER (WHERE c.failed) AS failed\n  FROM (\n    SELECT * FROM worker_counts WHERE organization_id = :organizationId! ORDER BY id DESC LIMIT 10000\n  ) AS c CROSS JOIN LATERAL unnest(c.workers, c.jobs) AS d(worker, jobs)\n  JOIN page ON page.id = d.worker AND c.at >= page.registered_at\n  GROUP BY page.id\n)\nSELECT page.id, queue_name, hostname, status, current_jobs, max_concurrency, last_heartbeat,\n  (jobs_processed + coalesce(processed, 0))::bigint AS \"jobs_processed!\", (jobs_failed + coalesce(failed, 0))::bigint AS \"jobs_failed!\"\nFROM page LEFT JOIN pending ON pending.id = page.id\nORDER BY CASE WHEN NOT :byId THEN last_heartbeat END DESC, page.id"};

/**
 * Query generated from SQL:
 * ```
 * -- The organization's workers, the latest heartbeat first; or by id, for pages that neither miss nor repeat a worker whose heartbeat
 * -- arrives between them. Their counters are as in find-worker.sql.
 * -- :queues that the caller may access, null = all; :afterId the last id of the previous page, null = the first page.
 * -- Relies on workers_organization, or on the primary key; and on the primary key of worker_counts.
 * WITH page AS MATERIALIZED (
 *   SELECT * FROM workers
 *   WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 *     AND (:afterId::text IS NULL OR id > :afterId)
 *   ORDER BY CASE WHEN NOT :byId! THEN last_heartbeat END DESC, id
 *   LIMIT :limit! OFFSET :offset!
 * ), pending AS (
 *   SELECT page.id, sum(d.jobs) FILTER (WHERE NOT c.failed) AS processed, sum(d.jobs) FILTER (WHERE c.failed) AS failed
 *   FROM (
 *     SELECT * FROM worker_counts WHERE organization_id = :organizationId! ORDER BY id DESC LIMIT 10000
 *   ) AS c CROSS JOIN LATERAL unnest(c.workers, c.jobs) AS d(worker, jobs)
 *   JOIN page ON page.id = d.worker AND c.at >= page.registered_at
 *   GROUP BY page.id
 * )
 * SELECT page.id, queue_name, hostname, status, current_jobs, max_concurrency, last_heartbeat,
 *   (jobs_processed + coalesce(processed, 0))::bigint AS "jobs_processed!", (jobs_failed + coalesce(failed, 0))::bigint AS "jobs_failed!"
 * FROM page LEFT JOIN pending ON pending.id = page.id
 * ORDER BY CASE WHEN NOT :byId THEN last_heartbeat END DESC, page.id
 * ```
 */
export const listWorkers = new PreparedQuery<ListWorkersParams,ListWorkersResult>(listWorkersIR);


