/** Types generated for queries found in "libs/data-access/src/series/read-series.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type numberArray = (number)[];

export type stringArray = (string)[];

/** 'ReadSeries' parameters type */
export interface ReadSeriesParams {
  from: string;
  organizationId: string;
  queues: stringArray;
  step: number;
  to: string;
}

/** 'ReadSeries' return type */
export interface ReadSeriesResult {
  at: string;
  cancelled: number;
  completed: number;
  created: number;
  deadlettered: number;
  left_out: number;
  oldest_ms: number;
  pending: number;
  processing: number;
  queue_name: string;
  retried: number;
  run_buckets: numberArray;
  run_jobs: numberArray;
  run_ms: number;
  scheduled: number;
  started: number;
  wait_buckets: numberArray;
  wait_jobs: numberArray;
  wait_ms: number;
}

/** 'ReadSeries' query type */
export interface ReadSeriesQuery {
  params: ReadSeriesParams;
  result: ReadSeriesResult;
}

const readSeriesIR: any = {"usedParamSet":{"organizationId":true,"step":true,"queues":true,"from":true,"to":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":675,"b":690}]},{"name":"step","required":true,"transform":{"type":"scalar"},"locs":[{"a":703,"b":708}]},{"name":"queues","required":true,"transform":{"type":"scalar"},"locs":[{"a":741,"b":748}]},{"name":"from","required":true,"transform":{"type":"scalar"},"locs":[{"a":769,"b":774}]},{"name":"to","required":true,"transform":{"type":"scalar"},"locs":[{"a":800,"b":803}]}],"statement":"-- The rows of queues in a period, by queue and time; '' is the whole organization.\n-- Relies on the primary key of queue_series.\nSELECT\n  queue_name AS \"queue_name!\", at AS \"at!\", created AS \"created!\", started AS \"started!\", completed AS \"completed!\", retried AS \"retried!\",\n  deadlettered AS \"deadlettered!\", cancelled AS \"cancelled!\", wait_ms AS \"wait_ms!\", run_ms AS \"run_ms!\", pending AS \"pending!\",\n  scheduled AS \"scheduled!\", processing AS \"processing!\", oldest_ms AS \"oldest_ms!\", left_out AS \"left_out!\",\n  wait_buckets AS \"wait_buckets!\", wait_jobs AS \"wait_jobs!\", run_buckets AS \"run_buckets!\", run_jobs AS \"run_jobs!\"\nFROM queue_series\nWHERE organization_id = :organizationId! AND step = :step!::integer AND queue_name = ANY (:queues!::text[]) AND at >= :from!::timestamptz\n  AND at < :to!::timestamptz\nORDER BY queue_name, at"};

/**
 * Query generated from SQL:
 * ```
 * -- The rows of queues in a period, by queue and time; '' is the whole organization.
 * -- Relies on the primary key of queue_series.
 * SELECT
 *   queue_name AS "queue_name!", at AS "at!", created AS "created!", started AS "started!", completed AS "completed!", retried AS "retried!",
 *   deadlettered AS "deadlettered!", cancelled AS "cancelled!", wait_ms AS "wait_ms!", run_ms AS "run_ms!", pending AS "pending!",
 *   scheduled AS "scheduled!", processing AS "processing!", oldest_ms AS "oldest_ms!", left_out AS "left_out!",
 *   wait_buckets AS "wait_buckets!", wait_jobs AS "wait_jobs!", run_buckets AS "run_buckets!", run_jobs AS "run_jobs!"
 * FROM queue_series
 * WHERE organization_id = :organizationId! AND step = :step!::integer AND queue_name = ANY (:queues!::text[]) AND at >= :from!::timestamptz
 *   AND at < :to!::timestamptz
 * ORDER BY queue_name, at
 * ```
 */
export const readSeries = new PreparedQuery<ReadSeriesParams,ReadSeriesResult>(readSeriesIR);


/** 'ReadSeriesOfAll' parameters type */
export interface ReadSeriesOfAllParams {
  from: string;
  most: number;
  organizationId: string;
  step: number;
  to: string;
}

/** 'ReadSeriesOfAll' return type */
export interface ReadSeriesOfAllResult {
  at: string;
  cancelled: number;
  completed: number;
  created: number;
  deadlettered: number;
  left_out: number;
  oldest_ms: number;
  pending: number;
  processing: number;
  queue_name: string;
  retried: number;
  run_buckets: numberArray;
  run_jobs: numberArray;
  run_ms: number;
  scheduled: number;
  started: number;
  wait_buckets: numberArray;
  wait_jobs: numberArray;
  wait_ms: number;
}

/** 'ReadSeriesOfAll' query type */
export interface ReadSeriesOfAllQuery {
  params: ReadSeriesOfAllParams;
  result: ReadSeriesOfAllResult;
}

const readSeriesOfAllIR: any = {"usedParamSet":{"organizationId":true,"step":true,"from":true,"to":true,"most":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":750,"b":765}]},{"name":"step","required":true,"transform":{"type":"scalar"},"locs":[{"a":778,"b":783}]},{"name":"from","required":true,"transform":{"type":"scalar"},"locs":[{"a":804,"b":809}]},{"name":"to","required":true,"transform":{"type":"scalar"},"locs":[{"a":833,"b":836}]},{"name":"most","required":true,"transform":{"type":"scalar"},"locs":[{"a":881,"b":886}]}],"statement":"-- As readSeries, of all queues and the organization, at most :most rows.\n-- Relies on the primary key of queue_series, in which the period of each queue is searched for (50 queues: 101 searches, 0.8 ms).\nSELECT\n  queue_name AS \"queue_name!\", at AS \"at!\", created AS \"created!\", started AS \"started!\", completed AS \"completed!\", retried AS \"retried!\",\n  deadlettered AS \"deadlettered!\", cancelled AS \"cancelled!\", wait_ms AS \"wait_ms!\", run_ms AS \"run_ms!\", pending AS \"pending!\",\n  scheduled AS \"scheduled!\", processing AS \"processing!\", oldest_ms AS \"oldest_ms!\", left_out AS \"left_out!\",\n  wait_buckets AS \"wait_buckets!\", wait_jobs AS \"wait_jobs!\", run_buckets AS \"run_buckets!\", run_jobs AS \"run_jobs!\"\nFROM queue_series\nWHERE organization_id = :organizationId! AND step = :step!::integer AND at >= :from!::timestamptz AND at < :to!::timestamptz\nORDER BY queue_name, at LIMIT :most!::integer"};

/**
 * Query generated from SQL:
 * ```
 * -- As readSeries, of all queues and the organization, at most :most rows.
 * -- Relies on the primary key of queue_series, in which the period of each queue is searched for (50 queues: 101 searches, 0.8 ms).
 * SELECT
 *   queue_name AS "queue_name!", at AS "at!", created AS "created!", started AS "started!", completed AS "completed!", retried AS "retried!",
 *   deadlettered AS "deadlettered!", cancelled AS "cancelled!", wait_ms AS "wait_ms!", run_ms AS "run_ms!", pending AS "pending!",
 *   scheduled AS "scheduled!", processing AS "processing!", oldest_ms AS "oldest_ms!", left_out AS "left_out!",
 *   wait_buckets AS "wait_buckets!", wait_jobs AS "wait_jobs!", run_buckets AS "run_buckets!", run_jobs AS "run_jobs!"
 * FROM queue_series
 * WHERE organization_id = :organizationId! AND step = :step!::integer AND at >= :from!::timestamptz AND at < :to!::timestamptz
 * ORDER BY queue_name, at LIMIT :most!::integer
 * ```
 */
export const readSeriesOfAll = new PreparedQuery<ReadSeriesOfAllParams,ReadSeriesOfAllResult>(readSeriesOfAllIR);


/** 'ReadSamples' parameters type */
export interface ReadSamplesParams {
  from: string;
  step: number;
  to: string;
}

/** 'ReadSamples' return type */
export interface ReadSamplesResult {
  at: string;
  counted_from: string;
  counted_seconds: number;
  counted_to: string;
  has_depth: boolean;
}

/** 'ReadSamples' query type */
export interface ReadSamplesQuery {
  params: ReadSamplesParams;
  result: ReadSamplesResult;
}

const readSamplesIR: any = {"usedParamSet":{"step":true,"from":true,"to":true},"params":[{"name":"step","required":true,"transform":{"type":"scalar"},"locs":[{"a":256,"b":261}]},{"name":"from","required":true,"transform":{"type":"scalar"},"locs":[{"a":282,"b":287}]},{"name":"to","required":true,"transform":{"type":"scalar"},"locs":[{"a":311,"b":314}]}],"statement":"-- The samples of a period.\n-- Relies on the primary key of series_samples.\nSELECT at AS \"at!\", counted_from AS \"counted_from!\", counted_to AS \"counted_to!\", counted_seconds AS \"counted_seconds!\", has_depth AS \"has_depth!\"\nFROM series_samples WHERE step = :step!::integer AND at >= :from!::timestamptz AND at < :to!::timestamptz ORDER BY at"};

/**
 * Query generated from SQL:
 * ```
 * -- The samples of a period.
 * -- Relies on the primary key of series_samples.
 * SELECT at AS "at!", counted_from AS "counted_from!", counted_to AS "counted_to!", counted_seconds AS "counted_seconds!", has_depth AS "has_depth!"
 * FROM series_samples WHERE step = :step!::integer AND at >= :from!::timestamptz AND at < :to!::timestamptz ORDER BY at
 * ```
 */
export const readSamples = new PreparedQuery<ReadSamplesParams,ReadSamplesResult>(readSamplesIR);


