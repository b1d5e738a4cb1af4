/** Types generated for queries found in "libs/queue/src/queues/delete-queue.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'DeleteQueue' parameters type */
export interface DeleteQueueParams {
  createdUntil?: string | null | void;
  deleteJobs: boolean;
  organizationId: string;
  queueName: string;
  rememberedSeconds: number;
}

/** 'DeleteQueue' return type */
export interface DeleteQueueResult {
  deleted: number;
  lease_ids: stringArray;
  leased_job_ids: stringArray;
  workflow_ids: stringArray;
}

/** 'DeleteQueue' query type */
export interface DeleteQueueQuery {
  params: DeleteQueueParams;
  result: DeleteQueueResult;
}

const deleteQueueIR: any = {"usedParamSet":{"deleteJobs":true,"organizationId":true,"queueName":true,"createdUntil":true,"rememberedSeconds":true},"params":[{"name":"deleteJobs","required":true,"transform":{"type":"scalar"},"locs":[{"a":419,"b":430},{"a":900,"b":911},{"a":1144,"b":1155},{"a":1788,"b":1799}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":454,"b":469},{"a":726,"b":741},{"a":935,"b":950},{"a":1179,"b":1194},{"a":1544,"b":1559},{"a":1656,"b":1671},{"a":1823,"b":1838},{"a":1966,"b":1981}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":517,"b":527},{"a":969,"b":979},{"a":1213,"b":1223},{"a":1690,"b":1700},{"a":1857,"b":1867},{"a":2000,"b":2010}]},{"name":"createdUntil","required":false,"transform":{"type":"scalar"},"locs":[{"a":538,"b":550},{"a":590,"b":602},{"a":990,"b":1002},{"a":1042,"b":1054},{"a":1234,"b":1246},{"a":1286,"b":1298},{"a":1719,"b":1731}]},{"name":"rememberedSeconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":813,"b":831}]}],"statement":"-- Deletes a queue's name and counters and, if :deleteJobs, its jobs with everything that is kept about them.\n-- :createdUntil the moment up to which jobs go, or null: a job that was created later keeps the queue alive.\n-- :rememberedSeconds jobs that were created within that time are remembered in deleted_jobs. Rare, and the one statement that reads a tenant's whole history.\nWITH gone AS (\n  DELETE FROM jobs WHERE :deleteJobs! AND organization_id = :organizationId! AND created_at > '-infinity' AND queue_name = :queueName!\n    AND (:createdUntil::timestamptz IS NULL OR created_at <= :createdUntil)\n  RETURNING id, workflow_id, created_at\n), remembered AS (\n  INSERT INTO deleted_jobs (organization_id, job_id)\n  SELECT :organizationId!, id FROM gone WHERE created_at > current_ts() - make_interval(secs => :rememberedSeconds!) ON CONFLICT DO NOTHING\n), live AS (\n  DELETE FROM job_queue WHERE :deleteJobs! AND organization_id = :organizationId! AND queue_name = :queueName!\n    AND (:createdUntil::timestamptz IS NULL OR created_at <= :createdUntil)\n  RETURNING job_id, lease_id, renewed\n), letters AS (\n  DELETE FROM dead_letters WHERE :deleteJobs! AND organization_id = :organizationId! AND queue_name = :queueName!\n    AND (:createdUntil::timestamptz IS NULL OR created_at <= :createdUntil)\n), keys AS (\n  DELETE FROM idempotency_keys k USING gone g WHERE k.job_id = g.id\n), edges AS (\n  DELETE FROM job_dependencies e USING gone g WHERE e.job_id = g.id\n), past AS (\n  DELETE FROM job_history h USING gone g WHERE h.organization_id = :organizationId! AND h.job_id = g.id\n), newer AS MATERIALIZED (\n  SELECT FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName! AND created_at > :createdUntil LIMIT 1\n), counters AS (\n  DELETE FROM job_stats WHERE :deleteJobs! AND organization_id = :organizationId! AND queue_name = :queueName!\n    AND NOT EXISTS (SELECT FROM newer)\n), name AS (\n  DELETE FROM queues WHERE organization_id = :organizationId! AND queue_name = :queueName! AND NOT EXISTS (SELECT FROM newer)\n)\nSELECT\n  count(*) AS \"deleted!\",\n  coalesce(array_agg(DISTINCT workflow_id) FILTER (WHERE workflow_id IS NOT NULL), '{}') AS \"workflow_ids!\",\n  (SELECT coalesce(array_agg(job_id ORDER BY job_id), '{}') FROM live WHERE renewed AND lease_id IS NOT NULL) AS \"leased_job_ids!\",\n  (SELECT coalesce(array_agg(lease_id ORDER BY job_id), '{}') FROM live WHERE renewed AND lease_id IS NOT NULL) AS \"lease_ids!\"\nFROM gone"};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes a queue's name and counters and, if :deleteJobs, its jobs with everything that is kept about them.
 * -- :createdUntil the moment up to which jobs go, or null: a job that was created later keeps the queue alive.
 * -- :rememberedSeconds jobs that were created within that time are remembered in deleted_jobs. Rare, and the one statement that reads a tenant's whole history.
 * WITH gone AS (
 *   DELETE FROM jobs WHERE :deleteJobs! AND organization_id = :organizationId! AND created_at > '-infinity' AND queue_name = :queueName!
 *     AND (:createdUntil::timestamptz IS NULL OR created_at <= :createdUntil)
 *   RETURNING id, workflow_id, created_at
 * ), remembered AS (
 *   INSERT INTO deleted_jobs (organization_id, job_id)
 *   SELECT :organizationId!, id FROM gone WHERE created_at > current_ts() - make_interval(secs => :rememberedSeconds!) ON CONFLICT DO NOTHING
 * ), live AS (
 *   DELETE FROM job_queue WHERE :deleteJobs! AND organization_id = :organizationId! AND queue_name = :queueName!
 *     AND (:createdUntil::timestamptz IS NULL OR created_at <= :createdUntil)
 *   RETURNING job_id, lease_id, renewed
 * ), letters AS (
 *   DELETE FROM dead_letters WHERE :deleteJobs! AND organization_id = :organizationId! AND queue_name = :queueName!
 *     AND (:createdUntil::timestamptz IS NULL OR created_at <= :createdUntil)
 * ), keys AS (
 *   DELETE FROM idempotency_keys k USING gone g WHERE k.job_id = g.id
 * ), edges AS (
 *   DELETE FROM job_dependencies e USING gone g WHERE e.job_id = g.id
 * ), past AS (
 *   DELETE FROM job_history h USING gone g WHERE h.organization_id = :organizationId! AND h.job_id = g.id
 * ), newer AS MATERIALIZED (
 *   SELECT FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName! AND created_at > :createdUntil LIMIT 1
 * ), counters AS (
 *   DELETE FROM job_stats WHERE :deleteJobs! AND organization_id = :organizationId! AND queue_name = :queueName!
 *     AND NOT EXISTS (SELECT FROM newer)
 * ), name AS (
 *   DELETE FROM queues WHERE organization_id = :organizationId! AND queue_name = :queueName! AND NOT EXISTS (SELECT FROM newer)
 * )
 * SELECT
 *   count(*) AS "deleted!",
 *   coalesce(array_agg(DISTINCT workflow_id) FILTER (WHERE workflow_id IS NOT NULL), '{}') AS "workflow_ids!",
 *   (SELECT coalesce(array_agg(job_id ORDER BY job_id), '{}') FROM live WHERE renewed AND lease_id IS NOT NULL) AS "leased_job_ids!",
 *   (SELECT coalesce(array_agg(lease_id ORDER BY job_id), '{}') FROM live WHERE renewed AND lease_id IS NOT NULL) AS "lease_ids!"
 * FROM gone
 * ```
 */
export const deleteQueue = new PreparedQuery<DeleteQueueParams,DeleteQueueResult>(deleteQueueIR);


/** 'IsLargeHistory' parameters type */
export interface IsLargeHistoryParams {
  largest: number;
  organizationId: string;
}

/** 'IsLargeHistory' return type */
export interface IsLargeHistoryResult {
  large: boolean;
}

/** 'IsLargeHistory' query type */
export interface IsLargeHistoryQuery {
  params: IsLargeHistoryParams;
  result: IsLargeHistoryResult;
}

const isLargeHistoryIR: any = {"usedParamSet":{"organizationId":true,"largest":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":227,"b":242},{"a":334,"b":349}]},{"name":"largest","required":true,"transform":{"type":"scalar"},"locs":[{"a":251,"b":259}]}],"statement":"-- Whether deleting a queue takes too long for a request: the deletion reads the organization's whole history. Relies on: primary key\n-- of job_stats.\nSELECT coalesce((SELECT sum(created) FROM job_stats WHERE organization_id = :organizationId!), 0) > :largest!::bigint\n  OR EXISTS (SELECT FROM queue_deletions WHERE organization_id = :organizationId!) AS \"large!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Whether deleting a queue takes too long for a request: the deletion reads the organization's whole history. Relies on: primary key
 * -- of job_stats.
 * SELECT coalesce((SELECT sum(created) FROM job_stats WHERE organization_id = :organizationId!), 0) > :largest!::bigint
 *   OR EXISTS (SELECT FROM queue_deletions WHERE organization_id = :organizationId!) AS "large!"
 * ```
 */
export const isLargeHistory = new PreparedQuery<IsLargeHistoryParams,IsLargeHistoryResult>(isLargeHistoryIR);


/** 'BeginQueueDeletion' parameters type */
export interface BeginQueueDeletionParams {
  createdUntil: string;
  organizationId: string;
  queueName: string;
}

/** 'BeginQueueDeletion' return type */
export type BeginQueueDeletionResult = void;

/** 'BeginQueueDeletion' query type */
export interface BeginQueueDeletionQuery {
  params: BeginQueueDeletionParams;
  result: BeginQueueDeletionResult;
}

const beginQueueDeletionIR: any = {"usedParamSet":{"organizationId":true,"queueName":true,"createdUntil":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":240,"b":255},{"a":512,"b":527},{"a":663,"b":678},{"a":802,"b":817},{"a":966,"b":981}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":258,"b":268},{"a":546,"b":556},{"a":697,"b":707},{"a":836,"b":846},{"a":1006,"b":1016},{"a":1053,"b":1063}]},{"name":"createdUntil","required":true,"transform":{"type":"scalar"},"locs":[{"a":271,"b":284},{"a":575,"b":588},{"a":1094,"b":1107}]}],"statement":"-- Hides the queue's jobs, deletes its name and counters as deleteQueue does, and begins the operation that deletes the jobs in steps.\nWITH hidden AS (\n  INSERT INTO queue_deletions AS d (organization_id, queue_name, deleted_until) VALUES (:organizationId!, :queueName!, :createdUntil!)\n  ON CONFLICT (organization_id, queue_name)\n    DO UPDATE SET deleted_until = greatest(d.deleted_until, excluded.deleted_until), has_live_jobs = true\n), newer AS MATERIALIZED (\n  SELECT FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName! AND created_at > :createdUntil! LIMIT 1\n), counters AS (\n  DELETE FROM job_stats WHERE organization_id = :organizationId! AND queue_name = :queueName! AND NOT EXISTS (SELECT FROM newer)\n), name AS (\n  DELETE FROM queues WHERE organization_id = :organizationId! AND queue_name = :queueName! AND NOT EXISTS (SELECT FROM newer)\n)\nINSERT INTO operations (organization_id, kind, queues, filter, actor)\nVALUES (\n  :organizationId!, 'queue.delete', ARRAY[:queueName!], jsonb_build_object('queue_name', :queueName!::text, 'created_before',\n    :createdUntil!::text), nullif(current_setting('app.actor', true), ''))"};

/**
 * Query generated from SQL:
 * ```
 * -- Hides the queue's jobs, deletes its name and counters as deleteQueue does, and begins the operation that deletes the jobs in steps.
 * WITH hidden AS (
 *   INSERT INTO queue_deletions AS d (organization_id, queue_name, deleted_until) VALUES (:organizationId!, :queueName!, :createdUntil!)
 *   ON CONFLICT (organization_id, queue_name)
 *     DO UPDATE SET deleted_until = greatest(d.deleted_until, excluded.deleted_until), has_live_jobs = true
 * ), newer AS MATERIALIZED (
 *   SELECT FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName! AND created_at > :createdUntil! LIMIT 1
 * ), counters AS (
 *   DELETE FROM job_stats WHERE organization_id = :organizationId! AND queue_name = :queueName! AND NOT EXISTS (SELECT FROM newer)
 * ), name AS (
 *   DELETE FROM queues WHERE organization_id = :organizationId! AND queue_name = :queueName! AND NOT EXISTS (SELECT FROM newer)
 * )
 * INSERT INTO operations (organization_id, kind, queues, filter, actor)
 * VALUES (
 *   :organizationId!, 'queue.delete', ARRAY[:queueName!], jsonb_build_object('queue_name', :queueName!::text, 'created_before',
 *     :createdUntil!::text), nullif(current_setting('app.actor', true), ''))
 * ```
 */
export const beginQueueDeletion = new PreparedQuery<BeginQueueDeletionParams,BeginQueueDeletionResult>(beginQueueDeletionIR);


