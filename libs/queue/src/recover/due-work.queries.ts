/** Types generated for queries found in "libs/queue/src/recover/due-work.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type live_state = 'leased' | 'ready' | 'retrying' | 'scheduled';

export type stringArray = (string)[];

/** 'ActivateDueJobs' parameters type */
export interface ActivateDueJobsParams {
  limit: number;
}

/** 'ActivateDueJobs' return type */
export interface ActivateDueJobsResult {
  job_id: string;
  now: string;
  old: live_state;
  organization_id: string;
  queue_name: string;
}

/** 'ActivateDueJobs' query type */
export interface ActivateDueJobsQuery {
  params: ActivateDueJobsParams;
  result: ActivateDueJobsResult;
}

const activateDueJobsIR: any = {"usedParamSet":{"limit":true},"params":[{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":183,"b":189}]}],"statement":"SELECT job_id AS \"job_id!\", organization_id AS \"organization_id!\", queue_name AS \"queue_name!\", old AS \"old!\",\n  current_ts(statement_timestamp()) AS \"now!\"\nFROM activate_due_jobs_v1(:limit!)"};

/**
 * Query generated from SQL:
 * ```
 * SELECT job_id AS "job_id!", organization_id AS "organization_id!", queue_name AS "queue_name!", old AS "old!",
 *   current_ts(statement_timestamp()) AS "now!"
 * FROM activate_due_jobs_v1(:limit!)
 * ```
 */
export const activateDueJobs = new PreparedQuery<ActivateDueJobsParams,ActivateDueJobsResult>(activateDueJobsIR);


/** 'LockExpiredLeases' parameters type */
export interface LockExpiredLeasesParams {
  limit: number;
}

/** 'LockExpiredLeases' return type */
export interface LockExpiredLeasesResult {
  job_id: string;
  lease_id: string;
  max_retries: number;
  organization_id: string;
  queue_name: string;
  retry_count: number;
  settings: unknown | null;
  timed_out_after: number | null;
  worker_id: string;
}

/** 'LockExpiredLeases' query type */
export interface LockExpiredLeasesQuery {
  params: LockExpiredLeasesParams;
  result: LockExpiredLeasesResult;
}

const lockExpiredLeasesIR: any = {"usedParamSet":{"limit":true},"params":[{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":268,"b":274}]}],"statement":"SELECT\n  job_id AS \"job_id!\", organization_id AS \"organization_id!\", queue_name AS \"queue_name!\", worker_id AS \"worker_id!\",\n  lease_id AS \"lease_id!\", retry_count AS \"retry_count!\", max_retries AS \"max_retries!\", settings, timed_out_after\nFROM lock_expired_leases_v1(:limit!)"};

/**
 * Query generated from SQL:
 * ```
 * SELECT
 *   job_id AS "job_id!", organization_id AS "organization_id!", queue_name AS "queue_name!", worker_id AS "worker_id!",
 *   lease_id AS "lease_id!", retry_count AS "retry_count!", max_retries AS "max_retries!", settings, timed_out_after
 * FROM lock_expired_leases_v1(:limit!)
 * ```
 */
export const lockExpiredLeases = new PreparedQuery<LockExpiredLeasesParams,LockExpiredLeasesResult>(lockExpiredLeasesIR);


/** 'LockJobsOfWorkers' parameters type */
export interface LockJobsOfWorkersParams {
  organizationIds: stringArray;
  workerIds: stringArray;
}

/** 'LockJobsOfWorkers' return type */
export interface LockJobsOfWorkersResult {
  job_id: string;
  lease_id: string;
  max_retries: number;
  organization_id: string;
  queue_name: string;
  retry_count: number;
  settings: unknown | null;
  worker_id: string;
}

/** 'LockJobsOfWorkers' query type */
export interface LockJobsOfWorkersQuery {
  params: LockJobsOfWorkersParams;
  result: LockJobsOfWorkersResult;
}

const lockJobsOfWorkersIR: any = {"usedParamSet":{"organizationIds":true,"workerIds":true},"params":[{"name":"organizationIds","required":true,"transform":{"type":"scalar"},"locs":[{"a":252,"b":268}]},{"name":"workerIds","required":true,"transform":{"type":"scalar"},"locs":[{"a":271,"b":281}]}],"statement":"SELECT\n  job_id AS \"job_id!\", organization_id AS \"organization_id!\", queue_name AS \"queue_name!\", worker_id AS \"worker_id!\",\n  lease_id AS \"lease_id!\", retry_count AS \"retry_count!\", max_retries AS \"max_retries!\", settings\nFROM lock_jobs_of_workers_v1(:organizationIds!, :workerIds!)"};

/**
 * Query generated from SQL:
 * ```
 * SELECT
 *   job_id AS "job_id!", organization_id AS "organization_id!", queue_name AS "queue_name!", worker_id AS "worker_id!",
 *   lease_id AS "lease_id!", retry_count AS "retry_count!", max_retries AS "max_retries!", settings
 * FROM lock_jobs_of_workers_v1(:organizationIds!, :workerIds!)
 * ```
 */
export const lockJobsOfWorkers = new PreparedQuery<LockJobsOfWorkersParams,LockJobsOfWorkersResult>(lockJobsOfWorkersIR);


/** 'FindExpiredJobs' parameters type */
export interface FindExpiredJobsParams {
  limit: number;
}

/** 'FindExpiredJobs' return type */
export interface FindExpiredJobsResult {
  job_id: string;
  organization_id: string;
}

/** 'FindExpiredJobs' query type */
export interface FindExpiredJobsQuery {
  params: FindExpiredJobsParams;
  result: FindExpiredJobsResult;
}

const findExpiredJobsIR: any = {"usedParamSet":{"limit":true},"params":[{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":92,"b":98}]}],"statement":"SELECT job_id AS \"job_id!\", organization_id AS \"organization_id!\" FROM find_expired_jobs_v1(:limit!)"};

/**
 * Query generated from SQL:
 * ```
 * SELECT job_id AS "job_id!", organization_id AS "organization_id!" FROM find_expired_jobs_v1(:limit!)
 * ```
 */
export const findExpiredJobs = new PreparedQuery<FindExpiredJobsParams,FindExpiredJobsResult>(findExpiredJobsIR);


/** 'ListBlockedJobs' parameters type */
export interface ListBlockedJobsParams {
  after: string;
  limit: number;
}

/** 'ListBlockedJobs' return type */
export interface ListBlockedJobsResult {
  job_id: string;
}

/** 'ListBlockedJobs' query type */
export interface ListBlockedJobsQuery {
  params: ListBlockedJobsParams;
  result: ListBlockedJobsResult;
}

const listBlockedJobsIR: any = {"usedParamSet":{"after":true,"limit":true},"params":[{"name":"after","required":true,"transform":{"type":"scalar"},"locs":[{"a":153,"b":159}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":183,"b":189}]}],"statement":"-- The next blocked jobs after one, over all tenants. Index: job_queue_blocked_ids.\nSELECT job_id FROM job_queue WHERE NOT dependencies_met AND job_id > :after! ORDER BY job_id LIMIT :limit!"};

/**
 * Query generated from SQL:
 * ```
 * -- The next blocked jobs after one, over all tenants. Index: job_queue_blocked_ids.
 * SELECT job_id FROM job_queue WHERE NOT dependencies_met AND job_id > :after! ORDER BY job_id LIMIT :limit!
 * ```
 */
export const listBlockedJobs = new PreparedQuery<ListBlockedJobsParams,ListBlockedJobsResult>(listBlockedJobsIR);


/** 'FindOrphans' parameters type */
export interface FindOrphansParams {
  ids: stringArray;
  limit: number;
}

/** 'FindOrphans' return type */
export interface FindOrphansResult {
  job_id: string;
  organization_id: string;
  outcome: job_status | null;
  parent: string | null;
}

/** 'FindOrphans' query type */
export interface FindOrphansQuery {
  params: FindOrphansParams;
  result: FindOrphansResult;
}

const findOrphansIR: any = {"usedParamSet":{"ids":true,"limit":true},"params":[{"name":"ids","required":true,"transform":{"type":"scalar"},"locs":[{"a":104,"b":108}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":111,"b":117}]}],"statement":"SELECT job_id AS \"job_id!\", organization_id AS \"organization_id!\", parent, outcome FROM find_orphans_v1(:ids!, :limit!)"};

/**
 * Query generated from SQL:
 * ```
 * SELECT job_id AS "job_id!", organization_id AS "organization_id!", parent, outcome FROM find_orphans_v1(:ids!, :limit!)
 * ```
 */
export const findOrphans = new PreparedQuery<FindOrphansParams,FindOrphansResult>(findOrphansIR);


/** 'ReleaseOrphans' parameters type */
export interface ReleaseOrphansParams {
  completed: stringArray;
  ended: stringArray;
  organizationId: string;
}

/** 'ReleaseOrphans' return type */
export interface ReleaseOrphansResult {
  cancelled: unknown;
  now: string;
  released: unknown;
}

/** 'ReleaseOrphans' query type */
export interface ReleaseOrphansQuery {
  params: ReleaseOrphansParams;
  result: ReleaseOrphansResult;
}

const releaseOrphansIR: any = {"usedParamSet":{"organizationId":true,"completed":true,"ended":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":106,"b":121},{"a":176,"b":191}]},{"name":"completed","required":true,"transform":{"type":"scalar"},"locs":[{"a":124,"b":134}]},{"name":"ended","required":true,"transform":{"type":"scalar"},"locs":[{"a":194,"b":200}]}],"statement":"-- Frees the children of :completed parents, cancels those of :ended ones.\nSELECT\n  release_dependents_v1(:organizationId!, :completed!) AS \"released!\",\n  cancel_dependents_v1(:organizationId!, :ended!) AS \"cancelled!\",\n  current_ts(statement_timestamp()) AS \"now!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Frees the children of :completed parents, cancels those of :ended ones.
 * SELECT
 *   release_dependents_v1(:organizationId!, :completed!) AS "released!",
 *   cancel_dependents_v1(:organizationId!, :ended!) AS "cancelled!",
 *   current_ts(statement_timestamp()) AS "now!"
 * ```
 */
export const releaseOrphans = new PreparedQuery<ReleaseOrphansParams,ReleaseOrphansResult>(releaseOrphansIR);


/** 'MeetDependencies' parameters type */
export interface MeetDependenciesParams {
  ids: stringArray;
  organizationId: string;
}

/** 'MeetDependencies' return type */
export interface MeetDependenciesResult {
  queue: string;
}

/** 'MeetDependencies' query type */
export interface MeetDependenciesQuery {
  params: MeetDependenciesParams;
  result: MeetDependenciesResult;
}

const meetDependenciesIR: any = {"usedParamSet":{"organizationId":true,"ids":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":87,"b":102},{"a":261,"b":276}]},{"name":"ids","required":true,"transform":{"type":"scalar"},"locs":[{"a":122,"b":126}]}],"statement":"WITH freed AS (\n  UPDATE job_queue SET dependencies_met = true WHERE organization_id = :organizationId! AND job_id = ANY (:ids!)\n  RETURNING job_id, queue_name\n), past AS (\n  INSERT INTO job_history (organization_id, job_id, at, event, actor, details)\n  SELECT :organizationId!, job_id, current_ts(statement_timestamp()), 'dependencies_met', nullif(current_setting('app.actor', true), ''),\n    json_build_object('reason', 'parent_deleted')\n  FROM freed\n)\nSELECT queue_name AS queue FROM freed"};

/**
 * Query generated from SQL:
 * ```
 * WITH freed AS (
 *   UPDATE job_queue SET dependencies_met = true WHERE organization_id = :organizationId! AND job_id = ANY (:ids!)
 *   RETURNING job_id, queue_name
 * ), past AS (
 *   INSERT INTO job_history (organization_id, job_id, at, event, actor, details)
 *   SELECT :organizationId!, job_id, current_ts(statement_timestamp()), 'dependencies_met', nullif(current_setting('app.actor', true), ''),
 *     json_build_object('reason', 'parent_deleted')
 *   FROM freed
 * )
 * SELECT queue_name AS queue FROM freed
 * ```
 */
export const meetDependencies = new PreparedQuery<MeetDependenciesParams,MeetDependenciesResult>(meetDependenciesIR);


