/** Types generated for queries found in "libs/data-access/src/partitions/rows-of-a-week.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'LockDefaultPartition' parameters type */
export type LockDefaultPartitionParams = void;

/** 'LockDefaultPartition' return type */
export type LockDefaultPartitionResult = void;

/** 'LockDefaultPartition' query type */
export interface LockDefaultPartitionQuery {
  params: LockDefaultPartitionParams;
  result: LockDefaultPartitionResult;
}

const lockDefaultPartitionIR: any = {"usedParamSet":{},"params":[],"statement":"-- The names of partitions are known at run time only: here and below `default_partition`, `week_partition` and `week_partition_kept` stand\n-- for them (`onPartitions`). Types are generated against tables of these names that are like jobs.\nLOCK TABLE default_partition IN ACCESS EXCLUSIVE MODE"};

/**
 * Query generated from SQL:
 * ```
 * -- The names of partitions are known at run time only: here and below `default_partition`, `week_partition` and `week_partition_kept` stand
 * -- for them (`onPartitions`). Types are generated against tables of these names that are like jobs.
 * LOCK TABLE default_partition IN ACCESS EXCLUSIVE MODE
 * ```
 */
export const lockDefaultPartition = new PreparedQuery<LockDefaultPartitionParams,LockDefaultPartitionResult>(lockDefaultPartitionIR);


/** 'MoveDefaultRows' parameters type */
export interface MoveDefaultRowsParams {
  week: string;
}

/** 'MoveDefaultRows' return type */
export interface MoveDefaultRowsResult {
  moved: number;
}

/** 'MoveDefaultRows' query type */
export interface MoveDefaultRowsQuery {
  params: MoveDefaultRowsParams;
  result: MoveDefaultRowsResult;
}

const moveDefaultRowsIR: any = {"usedParamSet":{"week":true},"params":[{"name":"week","required":true,"transform":{"type":"scalar"},"locs":[{"a":219,"b":224},{"a":281,"b":286}]}],"statement":"-- Moves the rows of one week out of the default partition, whose ids come from a clock that ran ahead. The caller holds its lock.\n-- :week Monday.\nWITH moving AS (\n  DELETE FROM default_partition\n  WHERE id >= uuid_at(:week!::date::timestamp AT TIME ZONE 'UTC') AND id < uuid_at((:week!::date + 7)::timestamp AT TIME ZONE 'UTC')\n  RETURNING *\n), moved AS (\n  INSERT INTO week_partition SELECT * FROM moving RETURNING 1\n)\nSELECT count(*) AS \"moved!\" FROM moved"};

/**
 * Query generated from SQL:
 * ```
 * -- Moves the rows of one week out of the default partition, whose ids come from a clock that ran ahead. The caller holds its lock.
 * -- :week Monday.
 * WITH moving AS (
 *   DELETE FROM default_partition
 *   WHERE id >= uuid_at(:week!::date::timestamp AT TIME ZONE 'UTC') AND id < uuid_at((:week!::date + 7)::timestamp AT TIME ZONE 'UTC')
 *   RETURNING *
 * ), moved AS (
 *   INSERT INTO week_partition SELECT * FROM moving RETURNING 1
 * )
 * SELECT count(*) AS "moved!" FROM moved
 * ```
 */
export const moveDefaultRows = new PreparedQuery<MoveDefaultRowsParams,MoveDefaultRowsResult>(moveDefaultRowsIR);


/** 'MeasureKeptJobs' parameters type */
export interface MeasureKeptJobsParams {
  days: number;
}

/** 'MeasureKeptJobs' return type */
export interface MeasureKeptJobsResult {
  bytes: number;
  kept: number;
  kept_bytes: number;
}

/** 'MeasureKeptJobs' query type */
export interface MeasureKeptJobsQuery {
  params: MeasureKeptJobsParams;
  result: MeasureKeptJobsResult;
}

const measureKeptJobsIR: any = {"usedParamSet":{"days":true},"params":[{"name":"days","required":true,"transform":{"type":"scalar"},"locs":[{"a":399,"b":404}]}],"statement":"-- Size of a past week's partition, and of the jobs in it that must be kept.\n-- :days that finished jobs are kept.\nSELECT pg_relation_size('week_partition') AS \"bytes!\", count(*) AS \"kept!\", coalesce(sum(pg_column_size(p.*)), 0)::bigint AS \"kept_bytes!\"\nFROM week_partition p\nWHERE outcome IS NULL OR outcome NOT IN ('completed', 'cancelled') OR completed_at >= current_ts() - make_interval(days => :days!)"};

/**
 * Query generated from SQL:
 * ```
 * -- Size of a past week's partition, and of the jobs in it that must be kept.
 * -- :days that finished jobs are kept.
 * SELECT pg_relation_size('week_partition') AS "bytes!", count(*) AS "kept!", coalesce(sum(pg_column_size(p.*)), 0)::bigint AS "kept_bytes!"
 * FROM week_partition p
 * WHERE outcome IS NULL OR outcome NOT IN ('completed', 'cancelled') OR completed_at >= current_ts() - make_interval(days => :days!)
 * ```
 */
export const measureKeptJobs = new PreparedQuery<MeasureKeptJobsParams,MeasureKeptJobsResult>(measureKeptJobsIR);


/** 'DeleteReferencesOfFinishedJobs' parameters type */
export interface DeleteReferencesOfFinishedJobsParams {
  days: number;
}

/** 'DeleteReferencesOfFinishedJobs' return type */
export type DeleteReferencesOfFinishedJobsResult = void;

/** 'DeleteReferencesOfFinishedJobs' query type */
export interface DeleteReferencesOfFinishedJobsQuery {
  params: DeleteReferencesOfFinishedJobsParams;
  result: DeleteReferencesOfFinishedJobsResult;
}

const deleteReferencesOfFinishedJobsIR: any = {"usedParamSet":{"days":true},"params":[{"name":"days","required":true,"transform":{"type":"scalar"},"locs":[{"a":405,"b":410}]}],"statement":"-- Deletes idempotency keys, dependencies and history of the finished jobs of a week whose partition is about to be dropped.\n-- :days that finished jobs are kept.\n-- Index: idempotency_keys_job, job_dependencies_pkey, job_history_job.\nWITH finished AS (\n  SELECT id, organization_id FROM week_partition\n  WHERE outcome IN ('completed', 'cancelled') AND completed_at < current_ts() - make_interval(days => :days!)\n), keys AS (\n  DELETE FROM idempotency_keys k USING finished f WHERE k.job_id = f.id\n), past AS (\n  DELETE FROM job_history h USING finished f WHERE h.organization_id = f.organization_id AND h.job_id = f.id\n)\nDELETE FROM job_dependencies d USING finished f WHERE d.job_id = f.id"};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes idempotency keys, dependencies and history of the finished jobs of a week whose partition is about to be dropped.
 * -- :days that finished jobs are kept.
 * -- Index: idempotency_keys_job, job_dependencies_pkey, job_history_job.
 * WITH finished AS (
 *   SELECT id, organization_id FROM week_partition
 *   WHERE outcome IN ('completed', 'cancelled') AND completed_at < current_ts() - make_interval(days => :days!)
 * ), keys AS (
 *   DELETE FROM idempotency_keys k USING finished f WHERE k.job_id = f.id
 * ), past AS (
 *   DELETE FROM job_history h USING finished f WHERE h.organization_id = f.organization_id AND h.job_id = f.id
 * )
 * DELETE FROM job_dependencies d USING finished f WHERE d.job_id = f.id
 * ```
 */
export const deleteReferencesOfFinishedJobs = new PreparedQuery<DeleteReferencesOfFinishedJobsParams,DeleteReferencesOfFinishedJobsResult>(deleteReferencesOfFinishedJobsIR);


/** 'MoveKeptJobs' parameters type */
export interface MoveKeptJobsParams {
  days: number;
}

/** 'MoveKeptJobs' return type */
export type MoveKeptJobsResult = void;

/** 'MoveKeptJobs' query type */
export interface MoveKeptJobsQuery {
  params: MoveKeptJobsParams;
  result: MoveKeptJobsResult;
}

const moveKeptJobsIR: any = {"usedParamSet":{"days":true},"params":[{"name":"days","required":true,"transform":{"type":"scalar"},"locs":[{"a":285,"b":290}]}],"statement":"-- Moves the jobs to keep from a detached partition to the default partition.\n-- :days that finished jobs are kept.\nINSERT INTO jobs SELECT * FROM week_partition\nWHERE outcome IS NULL OR outcome NOT IN ('completed', 'cancelled') OR completed_at >= current_ts() - make_interval(days => :days!)"};

/**
 * Query generated from SQL:
 * ```
 * -- Moves the jobs to keep from a detached partition to the default partition.
 * -- :days that finished jobs are kept.
 * INSERT INTO jobs SELECT * FROM week_partition
 * WHERE outcome IS NULL OR outcome NOT IN ('completed', 'cancelled') OR completed_at >= current_ts() - make_interval(days => :days!)
 * ```
 */
export const moveKeptJobs = new PreparedQuery<MoveKeptJobsParams,MoveKeptJobsResult>(moveKeptJobsIR);


/** 'CopyKeptJobs' parameters type */
export interface CopyKeptJobsParams {
  after: string;
  days: number;
  limit: number;
}

/** 'CopyKeptJobs' return type */
export interface CopyKeptJobsResult {
  id: string;
}

/** 'CopyKeptJobs' query type */
export interface CopyKeptJobsQuery {
  params: CopyKeptJobsParams;
  result: CopyKeptJobsResult;
}

const copyKeptJobsIR: any = {"usedParamSet":{"after":true,"days":true,"limit":true},"params":[{"name":"after","required":true,"transform":{"type":"scalar"},"locs":[{"a":357,"b":363}]},{"name":"days","required":true,"transform":{"type":"scalar"},"locs":[{"a":487,"b":492}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":516,"b":522}]}],"statement":"-- Copies the next jobs to keep of a partition that is being compacted. The row locks make a concurrent change wait, which its trigger then\n-- repeats in the copy; a row that the trigger has written already is left as it is.\n-- :after id after which to continue; :days that finished jobs are kept.\nWITH next AS (\n  SELECT * FROM week_partition\n  WHERE id > :after! AND (outcome IS NULL OR outcome NOT IN ('completed', 'cancelled') OR completed_at >= current_ts() - make_interval(days => :days!))\n  ORDER BY id LIMIT :limit! FOR SHARE\n), copied AS (\n  INSERT INTO week_partition_kept SELECT * FROM next ON CONFLICT DO NOTHING\n)\nSELECT id FROM next ORDER BY id DESC LIMIT 1"};

/**
 * Query generated from SQL:
 * ```
 * -- Copies the next jobs to keep of a partition that is being compacted. The row locks make a concurrent change wait, which its trigger then
 * -- repeats in the copy; a row that the trigger has written already is left as it is.
 * -- :after id after which to continue; :days that finished jobs are kept.
 * WITH next AS (
 *   SELECT * FROM week_partition
 *   WHERE id > :after! AND (outcome IS NULL OR outcome NOT IN ('completed', 'cancelled') OR completed_at >= current_ts() - make_interval(days => :days!))
 *   ORDER BY id LIMIT :limit! FOR SHARE
 * ), copied AS (
 *   INSERT INTO week_partition_kept SELECT * FROM next ON CONFLICT DO NOTHING
 * )
 * SELECT id FROM next ORDER BY id DESC LIMIT 1
 * ```
 */
export const copyKeptJobs = new PreparedQuery<CopyKeptJobsParams,CopyKeptJobsResult>(copyKeptJobsIR);


