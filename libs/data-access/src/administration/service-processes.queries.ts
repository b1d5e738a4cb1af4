/** Types generated for queries found in "libs/data-access/src/administration/service-processes.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ReportProcess' parameters type */
export interface ReportProcessParams {
  host: string;
  id: string;
  service: string;
  version: string;
}

/** 'ReportProcess' return type */
export type ReportProcessResult = void;

/** 'ReportProcess' query type */
export interface ReportProcessQuery {
  params: ReportProcessParams;
  result: ReportProcessResult;
}

const reportProcessIR: any = {"usedParamSet":{"id":true,"service":true,"version":true,"host":true},"params":[{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":276,"b":279}]},{"name":"service","required":true,"transform":{"type":"scalar"},"locs":[{"a":282,"b":290}]},{"name":"version","required":true,"transform":{"type":"scalar"},"locs":[{"a":293,"b":301}]},{"name":"host","required":true,"transform":{"type":"scalar"},"locs":[{"a":304,"b":309}]}],"statement":"-- This process runs. Deletes those that were killed more than an hour ago. The table has one row per process.\nWITH gone AS (\n  DELETE FROM service_processes WHERE seen_at < current_ts() - interval '1 hour'\n)\nINSERT INTO service_processes (id, service, version, host) VALUES (:id!, :service!, :version!, :host!)\nON CONFLICT (id) DO UPDATE SET seen_at = current_ts()"};

/**
 * Query generated from SQL:
 * ```
 * -- This process runs. Deletes those that were killed more than an hour ago. The table has one row per process.
 * WITH gone AS (
 *   DELETE FROM service_processes WHERE seen_at < current_ts() - interval '1 hour'
 * )
 * INSERT INTO service_processes (id, service, version, host) VALUES (:id!, :service!, :version!, :host!)
 * ON CONFLICT (id) DO UPDATE SET seen_at = current_ts()
 * ```
 */
export const reportProcess = new PreparedQuery<ReportProcessParams,ReportProcessResult>(reportProcessIR);


/** 'EndProcess' parameters type */
export interface EndProcessParams {
  id: string;
}

/** 'EndProcess' return type */
export type EndProcessResult = void;

/** 'EndProcess' query type */
export interface EndProcessQuery {
  params: EndProcessParams;
  result: EndProcessResult;
}

const endProcessIR: any = {"usedParamSet":{"id":true},"params":[{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":41,"b":44}]}],"statement":"DELETE FROM service_processes WHERE id = :id!"};

/**
 * Query generated from SQL:
 * ```
 * DELETE FROM service_processes WHERE id = :id!
 * ```
 */
export const endProcess = new PreparedQuery<EndProcessParams,EndProcessResult>(endProcessIR);


/** 'ListProcesses' parameters type */
export interface ListProcessesParams {
  aliveSeconds: number;
}

/** 'ListProcesses' return type */
export interface ListProcessesResult {
  host: string;
  id: string;
  is_alive: boolean;
  seen_at: string;
  service: string;
  started_at: string;
  version: string;
}

/** 'ListProcesses' query type */
export interface ListProcessesQuery {
  params: ListProcessesParams;
  result: ListProcessesResult;
}

const listProcessesIR: any = {"usedParamSet":{"aliveSeconds":true},"params":[{"name":"aliveSeconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":176,"b":189}]}],"statement":"-- The latest first. :aliveSeconds after which a process counts as gone.\nSELECT id, service, version, host, started_at, seen_at, seen_at > current_ts() - make_interval(secs => :aliveSeconds!) AS \"is_alive!\"\nFROM service_processes ORDER BY service, started_at DESC, id LIMIT 1000"};

/**
 * Query generated from SQL:
 * ```
 * -- The latest first. :aliveSeconds after which a process counts as gone.
 * SELECT id, service, version, host, started_at, seen_at, seen_at > current_ts() - make_interval(secs => :aliveSeconds!) AS "is_alive!"
 * FROM service_processes ORDER BY service, started_at DESC, id LIMIT 1000
 * ```
 */
export const listProcesses = new PreparedQuery<ListProcessesParams,ListProcessesResult>(listProcessesIR);


/** 'ListTopTenants' parameters type */
export interface ListTopTenantsParams {
  by: string;
  limit: number;
  minutes: number;
}

/** 'ListTopTenants' return type */
export interface ListTopTenantsResult {
  completed: number;
  created: number;
  failed: number;
  name: string;
  organization_id: string;
  pending: number;
  plan_tier: string;
  processing: number;
}

/** 'ListTopTenants' query type */
export interface ListTopTenantsQuery {
  params: ListTopTenantsParams;
  result: ListTopTenantsResult;
}

const listTopTenantsIR: any = {"usedParamSet":{"minutes":true,"by":true,"limit":true},"params":[{"name":"minutes","required":true,"transform":{"type":"scalar"},"locs":[{"a":325,"b":333}]},{"name":"by","required":true,"transform":{"type":"scalar"},"locs":[{"a":1155,"b":1158}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":1324,"b":1330}]}],"statement":"-- Organizations by what they did in the last minutes, or by their depth at the end of them, from the minutes of the series.\n-- :by is created, completed, failed or depth. Relies on queue_series_oldest and the primary key of organizations.\nWITH period AS (\n  SELECT date_trunc('minute', current_ts()) - make_interval(mins => :minutes!::integer) AS since, max(at) AS last\n  FROM series_samples WHERE step = 60\n), sums AS (\n  SELECT q.organization_id, sum(q.created)::bigint AS created, sum(q.completed)::bigint AS completed,\n    sum(q.retried + q.deadlettered)::bigint AS failed,\n    coalesce(max(q.pending) FILTER (WHERE q.at = p.last), 0) AS pending, coalesce(max(q.processing) FILTER (WHERE q.at = p.last), 0) AS processing\n  FROM period p JOIN queue_series q ON q.step = 60 AND q.at >= p.since AND q.queue_name = ''\n  GROUP BY q.organization_id\n)\nSELECT s.organization_id AS \"organization_id!\", o.name AS \"name!\", o.plan_tier AS \"plan_tier!\", s.created AS \"created!\", s.completed AS \"completed!\",\n  s.failed AS \"failed!\", s.pending AS \"pending!\", s.processing AS \"processing!\"\nFROM sums s JOIN organizations o ON o.id = s.organization_id\nORDER BY CASE :by!::text WHEN 'created' THEN s.created WHEN 'completed' THEN s.completed WHEN 'failed' THEN s.failed\n  ELSE s.pending + s.processing END DESC, s.organization_id\nLIMIT :limit!::integer"};

/**
 * Query generated from SQL:
 * ```
 * -- Organizations by what they did in the last minutes, or by their depth at the end of them, from the minutes of the series.
 * -- :by is created, completed, failed or depth. Relies on queue_series_oldest and the primary key of organizations.
 * WITH period AS (
 *   SELECT date_trunc('minute', current_ts()) - make_interval(mins => :minutes!::integer) AS since, max(at) AS last
 *   FROM series_samples WHERE step = 60
 * ), sums AS (
 *   SELECT q.organization_id, sum(q.created)::bigint AS created, sum(q.completed)::bigint AS completed,
 *     sum(q.retried + q.deadlettered)::bigint AS failed,
 *     coalesce(max(q.pending) FILTER (WHERE q.at = p.last), 0) AS pending, coalesce(max(q.processing) FILTER (WHERE q.at = p.last), 0) AS processing
 *   FROM period p JOIN queue_series q ON q.step = 60 AND q.at >= p.since AND q.queue_name = ''
 *   GROUP BY q.organization_id
 * )
 * SELECT s.organization_id AS "organization_id!", o.name AS "name!", o.plan_tier AS "plan_tier!", s.created AS "created!", s.completed AS "completed!",
 *   s.failed AS "failed!", s.pending AS "pending!", s.processing AS "processing!"
 * FROM sums s JOIN organizations o ON o.id = s.organization_id
 * ORDER BY CASE :by!::text WHEN 'created' THEN s.created WHEN 'completed' THEN s.completed WHEN 'failed' THEN s.failed
 *   ELSE s.pending + s.processing END DESC, s.organization_id
 * LIMIT :limit!::integer
 * ```
 */
export const listTopTenants = new PreparedQuery<ListTopTenantsParams,ListTopTenantsResult>(listTopTenantsIR);


/** 'MeasureCapacity' parameters type */
export type MeasureCapacityParams = void;

/** 'MeasureCapacity' return type */
export interface MeasureCapacityResult {
  checked_at: string;
  completed: number;
  connections: number;
  created: number;
  database_bytes: number;
  max_connections: number;
  seconds: number;
  transaction_ids: number;
}

/** 'MeasureCapacity' query type */
export interface MeasureCapacityQuery {
  params: MeasureCapacityParams;
  result: MeasureCapacityResult;
}

const measureCapacityIR: any = {"usedParamSet":{},"params":[],"statement":"-- What PostgreSQL uses of what it has, and what all organizations did in the last ten minutes.\nWITH minutes AS (\n  SELECT coalesce(sum(q.created), 0)::bigint AS created, coalesce(sum(q.completed), 0)::bigint AS completed\n  FROM queue_series q WHERE q.step = 60 AND q.at >= date_trunc('minute', current_ts()) - interval '10 minutes' AND q.queue_name = ''\n), sampled AS (\n  SELECT coalesce(sum(counted_seconds), 0)::bigint AS seconds FROM series_samples\n  WHERE step = 60 AND at >= date_trunc('minute', current_ts()) - interval '10 minutes'\n)\nSELECT m.created AS \"created!\", m.completed AS \"completed!\", s.seconds AS \"seconds!\",\n  (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS \"connections!\",\n  current_setting('max_connections')::integer AS \"max_connections!\",\n  (SELECT max(age(datfrozenxid))::bigint FROM pg_database) AS \"transaction_ids!\",\n  pg_database_size(current_database()) AS \"database_bytes!\",\n  current_ts() AS \"checked_at!\"\nFROM minutes m CROSS JOIN sampled s"};

/**
 * Query generated from SQL:
 * ```
 * -- What PostgreSQL uses of what it has, and what all organizations did in the last ten minutes.
 * WITH minutes AS (
 *   SELECT coalesce(sum(q.created), 0)::bigint AS created, coalesce(sum(q.completed), 0)::bigint AS completed
 *   FROM queue_series q WHERE q.step = 60 AND q.at >= date_trunc('minute', current_ts()) - interval '10 minutes' AND q.queue_name = ''
 * ), sampled AS (
 *   SELECT coalesce(sum(counted_seconds), 0)::bigint AS seconds FROM series_samples
 *   WHERE step = 60 AND at >= date_trunc('minute', current_ts()) - interval '10 minutes'
 * )
 * SELECT m.created AS "created!", m.completed AS "completed!", s.seconds AS "seconds!",
 *   (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS "connections!",
 *   current_setting('max_connections')::integer AS "max_connections!",
 *   (SELECT max(age(datfrozenxid))::bigint FROM pg_database) AS "transaction_ids!",
 *   pg_database_size(current_database()) AS "database_bytes!",
 *   current_ts() AS "checked_at!"
 * FROM minutes m CROSS JOIN sampled s
 * ```
 */
export const measureCapacity = new PreparedQuery<MeasureCapacityParams,MeasureCapacityResult>(measureCapacityIR);


