/** Types generated for queries found in "libs/queue/src/operations/deletions.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'DeleteLiveJobsOfQueue' parameters type */
export interface DeleteLiveJobsOfQueueParams {
  deletedUntil: string;
  limit: number;
  organizationId: string;
  queueName: string;
}

/** 'DeleteLiveJobsOfQueue' return type */
export interface DeleteLiveJobsOfQueueResult {
  job_id: string;
  lease_id: string | null;
}

/** 'DeleteLiveJobsOfQueue' query type */
export interface DeleteLiveJobsOfQueueQuery {
  params: DeleteLiveJobsOfQueueParams;
  result: DeleteLiveJobsOfQueueResult;
}

const deleteLiveJobsOfQueueIR: any = {"usedParamSet":{"organizationId":true,"queueName":true,"deletedUntil":true,"limit":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":162,"b":177},{"a":304,"b":319},{"a":458,"b":473},{"a":632,"b":647},{"a":804,"b":819}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":338,"b":348},{"a":492,"b":502},{"a":666,"b":676},{"a":838,"b":848}]},{"name":"deletedUntil","required":true,"transform":{"type":"scalar"},"locs":[{"a":923,"b":936}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":944,"b":950}]}],"statement":"-- Deletes live jobs of a queue that were created at :deletedUntil or earlier. Each state by its partial index.\nDELETE FROM job_queue q\nWHERE q.organization_id = :organizationId! AND q.job_id = ANY (ARRAY(\n  SELECT m.job_id FROM (\n    SELECT job_id, created_at FROM job_queue\n    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'leased'\n    UNION ALL\n    SELECT job_id, created_at FROM job_queue\n    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND dependencies_met\n    UNION ALL\n    SELECT job_id, created_at FROM job_queue\n    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state IN ('scheduled', 'retrying')\n    UNION ALL\n    SELECT job_id, created_at FROM job_queue\n    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND NOT dependencies_met AND state = 'ready'\n  ) m WHERE m.created_at <= :deletedUntil! LIMIT :limit!))\nRETURNING q.job_id, CASE WHEN q.renewed THEN q.lease_id END AS lease_id"};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes live jobs of a queue that were created at :deletedUntil or earlier. Each state by its partial index.
 * DELETE FROM job_queue q
 * WHERE q.organization_id = :organizationId! AND q.job_id = ANY (ARRAY(
 *   SELECT m.job_id FROM (
 *     SELECT job_id, created_at FROM job_queue
 *     WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'leased'
 *     UNION ALL
 *     SELECT job_id, created_at FROM job_queue
 *     WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND dependencies_met
 *     UNION ALL
 *     SELECT job_id, created_at FROM job_queue
 *     WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state IN ('scheduled', 'retrying')
 *     UNION ALL
 *     SELECT job_id, created_at FROM job_queue
 *     WHERE organization_id = :organizationId! AND queue_name = :queueName! AND NOT dependencies_met AND state = 'ready'
 *   ) m WHERE m.created_at <= :deletedUntil! LIMIT :limit!))
 * RETURNING q.job_id, CASE WHEN q.renewed THEN q.lease_id END AS lease_id
 * ```
 */
export const deleteLiveJobsOfQueue = new PreparedQuery<DeleteLiveJobsOfQueueParams,DeleteLiveJobsOfQueueResult>(deleteLiveJobsOfQueueIR);


/** 'DeleteDeadLettersOfQueue' parameters type */
export interface DeleteDeadLettersOfQueueParams {
  deletedUntil: string;
  limit: number;
  organizationId: string;
  queueName: string;
}

/** 'DeleteDeadLettersOfQueue' return type */
export interface DeleteDeadLettersOfQueueResult {
  job_id: string;
}

/** 'DeleteDeadLettersOfQueue' query type */
export interface DeleteDeadLettersOfQueueQuery {
  params: DeleteDeadLettersOfQueueParams;
  result: DeleteDeadLettersOfQueueResult;
}

const deleteDeadLettersOfQueueIR: any = {"usedParamSet":{"organizationId":true,"queueName":true,"deletedUntil":true,"limit":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":132,"b":147},{"a":236,"b":251}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":270,"b":280}]},{"name":"deletedUntil","required":true,"transform":{"type":"scalar"},"locs":[{"a":300,"b":313}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":343,"b":349}]}],"statement":"-- As deleteLiveJobsOfQueue, for dead letters. Relies on: dead_letters_oldest.\nDELETE FROM dead_letters d\nWHERE d.organization_id = :organizationId! AND d.job_id = ANY (ARRAY(\n  SELECT job_id FROM dead_letters\n  WHERE organization_id = :organizationId! AND queue_name = :queueName! AND created_at <= :deletedUntil!\n  ORDER BY created_at LIMIT :limit!))\nRETURNING d.job_id"};

/**
 * Query generated from SQL:
 * ```
 * -- As deleteLiveJobsOfQueue, for dead letters. Relies on: dead_letters_oldest.
 * DELETE FROM dead_letters d
 * WHERE d.organization_id = :organizationId! AND d.job_id = ANY (ARRAY(
 *   SELECT job_id FROM dead_letters
 *   WHERE organization_id = :organizationId! AND queue_name = :queueName! AND created_at <= :deletedUntil!
 *   ORDER BY created_at LIMIT :limit!))
 * RETURNING d.job_id
 * ```
 */
export const deleteDeadLettersOfQueue = new PreparedQuery<DeleteDeadLettersOfQueueParams,DeleteDeadLettersOfQueueResult>(deleteDeadLettersOfQueueIR);


/** 'OpenQueue' parameters type */
export interface OpenQueueParams {
  deletedUntil: string;
  organizationId: string;
  queueName: string;
}

/** 'OpenQueue' return type */
export type OpenQueueResult = void;

/** 'OpenQueue' query type */
export interface OpenQueueQuery {
  params: OpenQueueParams;
  result: OpenQueueResult;
}

const openQueueIR: any = {"usedParamSet":{"organizationId":true,"queueName":true,"deletedUntil":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":165,"b":180}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":199,"b":209}]},{"name":"deletedUntil","required":true,"transform":{"type":"scalar"},"locs":[{"a":232,"b":245}]}],"statement":"-- The queue's jobs may be claimed again. Not while a later deletion of the queue is at it.\nUPDATE queue_deletions SET has_live_jobs = false\nWHERE organization_id = :organizationId! AND queue_name = :queueName! AND deleted_until <= :deletedUntil!"};

/**
 * Query generated from SQL:
 * ```
 * -- The queue's jobs may be claimed again. Not while a later deletion of the queue is at it.
 * UPDATE queue_deletions SET has_live_jobs = false
 * WHERE organization_id = :organizationId! AND queue_name = :queueName! AND deleted_until <= :deletedUntil!
 * ```
 */
export const openQueue = new PreparedQuery<OpenQueueParams,OpenQueueResult>(openQueueIR);


/** 'DeleteRecordsOfQueue' parameters type */
export interface DeleteRecordsOfQueueParams {
  afterId: string;
  afterTime: string;
  deletedUntil: string;
  limit: number;
  organizationId: string;
  queueName: string;
  rememberedSeconds: number;
}

/** 'DeleteRecordsOfQueue' return type */
export interface DeleteRecordsOfQueueResult {
  deleted: number;
  last_id: string | null;
  last_time: string | null;
  seen: number;
  workflow_ids: stringArray;
}

/** 'DeleteRecordsOfQueue' query type */
export interface DeleteRecordsOfQueueQuery {
  params: DeleteRecordsOfQueueParams;
  result: DeleteRecordsOfQueueResult;
}

const deleteRecordsOfQueueIR: any = {"usedParamSet":{"organizationId":true,"deletedUntil":true,"afterTime":true,"afterId":true,"limit":true,"queueName":true,"rememberedSeconds":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":418,"b":433},{"a":793,"b":808},{"a":1389,"b":1404}]},{"name":"deletedUntil","required":true,"transform":{"type":"scalar"},"locs":[{"a":482,"b":495}]},{"name":"afterTime","required":true,"transform":{"type":"scalar"},"locs":[{"a":525,"b":535}]},{"name":"afterId","required":true,"transform":{"type":"scalar"},"locs":[{"a":551,"b":559}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":600,"b":606}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":700,"b":710}]},{"name":"rememberedSeconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":880,"b":898}]}],"statement":"-- Looks at the next :limit jobs of the organization, the oldest first, and deletes those of the queue with everything that is kept\n-- about them. There is no index on the queue. :afterTime and :afterId of the job that was looked at last. :rememberedSeconds as for\n-- deleteQueue. Relies on: jobs_newest.\nWITH page AS MATERIALIZED (\n  SELECT id, created_at, queue_name, workflow_id FROM jobs\n  WHERE organization_id = :organizationId! AND created_at > '-infinity' AND created_at <= :deletedUntil!\n    AND (created_at, id) > (:afterTime!::timestamptz, :afterId!::uuid)\n  ORDER BY created_at, id LIMIT :limit!\n), gone AS MATERIALIZED (\n  SELECT id, workflow_id, created_at FROM page WHERE queue_name = :queueName!\n), remembered AS (\n  INSERT INTO deleted_jobs (organization_id, job_id)\n  SELECT :organizationId!, id FROM gone WHERE created_at > current_ts() - make_interval(secs => :rememberedSeconds!) ON CONFLICT DO NOTHING\n), records AS (\n  DELETE FROM jobs j USING gone g WHERE j.id = g.id\n), live AS (\n  DELETE FROM job_queue q USING gone g WHERE q.job_id = g.id\n), letters AS (\n  DELETE FROM dead_letters d USING gone g WHERE d.job_id = g.id\n), keys AS (\n  DELETE FROM idempotency_keys k USING gone g WHERE k.job_id = g.id\n), edges AS (\n  DELETE FROM job_dependencies e USING gone g WHERE e.job_id = g.id\n), past AS (\n  DELETE FROM job_history h USING gone g WHERE h.organization_id = :organizationId! AND h.job_id = g.id\n)\nSELECT\n  (SELECT count(*) FROM page) AS \"seen!\", (SELECT count(*) FROM gone) AS \"deleted!\",\n  (SELECT created_at FROM page ORDER BY created_at DESC, id DESC LIMIT 1) AS last_time,\n  (SELECT id FROM page ORDER BY created_at DESC, id DESC LIMIT 1) AS last_id,\n  (SELECT coalesce(array_agg(DISTINCT workflow_id) FILTER (WHERE workflow_id IS NOT NULL), '{}') FROM gone) AS \"workflow_ids!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Looks at the next :limit jobs of the organization, the oldest first, and deletes those of the queue with everything that is kept
 * -- about them. There is no index on the queue. :afterTime and :afterId of the job that was looked at last. :rememberedSeconds as for
 * -- deleteQueue. Relies on: jobs_newest.
 * WITH page AS MATERIALIZED (
 *   SELECT id, created_at, queue_name, workflow_id FROM jobs
 *   WHERE organization_id = :organizationId! AND created_at > '-infinity' AND created_at <= :deletedUntil!
 *     AND (created_at, id) > (:afterTime!::timestamptz, :afterId!::uuid)
 *   ORDER BY created_at, id LIMIT :limit!
 * ), gone AS MATERIALIZED (
 *   SELECT id, workflow_id, created_at FROM page WHERE queue_name = :queueName!
 * ), remembered AS (
 *   INSERT INTO deleted_jobs (organization_id, job_id)
 *   SELECT :organizationId!, id FROM gone WHERE created_at > current_ts() - make_interval(secs => :rememberedSeconds!) ON CONFLICT DO NOTHING
 * ), records AS (
 *   DELETE FROM jobs j USING gone g WHERE j.id = g.id
 * ), live AS (
 *   DELETE FROM job_queue q USING gone g WHERE q.job_id = g.id
 * ), letters AS (
 *   DELETE FROM dead_letters d USING gone g WHERE d.job_id = g.id
 * ), keys AS (
 *   DELETE FROM idempotency_keys k USING gone g WHERE k.job_id = g.id
 * ), edges AS (
 *   DELETE FROM job_dependencies e USING gone g WHERE e.job_id = g.id
 * ), past AS (
 *   DELETE FROM job_history h USING gone g WHERE h.organization_id = :organizationId! AND h.job_id = g.id
 * )
 * SELECT
 *   (SELECT count(*) FROM page) AS "seen!", (SELECT count(*) FROM gone) AS "deleted!",
 *   (SELECT created_at FROM page ORDER BY created_at DESC, id DESC LIMIT 1) AS last_time,
 *   (SELECT id FROM page ORDER BY created_at DESC, id DESC LIMIT 1) AS last_id,
 *   (SELECT coalesce(array_agg(DISTINCT workflow_id) FILTER (WHERE workflow_id IS NOT NULL), '{}') FROM gone) AS "workflow_ids!"
 * ```
 */
export const deleteRecordsOfQueue = new PreparedQuery<DeleteRecordsOfQueueParams,DeleteRecordsOfQueueResult>(deleteRecordsOfQueueIR);


/** 'EndQueueDeletion' parameters type */
export interface EndQueueDeletionParams {
  deletedUntil: string;
  organizationId: string;
  queueName: string;
}

/** 'EndQueueDeletion' return type */
export type EndQueueDeletionResult = void;

/** 'EndQueueDeletion' query type */
export interface EndQueueDeletionQuery {
  params: EndQueueDeletionParams;
  result: EndQueueDeletionResult;
}

const endQueueDeletionIR: any = {"usedParamSet":{"organizationId":true,"queueName":true,"deletedUntil":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":143,"b":158}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":177,"b":187}]},{"name":"deletedUntil","required":true,"transform":{"type":"scalar"},"locs":[{"a":210,"b":223}]}],"statement":"-- Nothing of the queue is left to hide. Not while a later deletion of the queue is at it.\nDELETE FROM queue_deletions\nWHERE organization_id = :organizationId! AND queue_name = :queueName! AND deleted_until <= :deletedUntil!"};

/**
 * Query generated from SQL:
 * ```
 * -- Nothing of the queue is left to hide. Not while a later deletion of the queue is at it.
 * DELETE FROM queue_deletions
 * WHERE organization_id = :organizationId! AND queue_name = :queueName! AND deleted_until <= :deletedUntil!
 * ```
 */
export const endQueueDeletion = new PreparedQuery<EndQueueDeletionParams,EndQueueDeletionResult>(endQueueDeletionIR);


/** 'EraseOrganization' parameters type */
export interface EraseOrganizationParams {
  limit: number;
  organizationId: string;
}

/** 'EraseOrganization' return type */
export interface EraseOrganizationResult {
  deleted: number;
}

/** 'EraseOrganization' query type */
export interface EraseOrganizationQuery {
  params: EraseOrganizationParams;
  result: EraseOrganizationResult;
}

const eraseOrganizationIR: any = {"usedParamSet":{"organizationId":true,"limit":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":29,"b":44}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":47,"b":53}]}],"statement":"SELECT erase_organization_v1(:organizationId!, :limit!) AS \"deleted!\""};

/**
 * Query generated from SQL:
 * ```
 * SELECT erase_organization_v1(:organizationId!, :limit!) AS "deleted!"
 * ```
 */
export const eraseOrganization = new PreparedQuery<EraseOrganizationParams,EraseOrganizationResult>(eraseOrganizationIR);


