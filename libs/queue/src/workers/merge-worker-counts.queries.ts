/** Types generated for queries found in "libs/queue/src/workers/merge-worker-counts.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'MergeWorkerCounts' parameters type */
export interface MergeWorkerCountsParams {
  limit: number;
}

/** 'MergeWorkerCounts' return type */
export interface MergeWorkerCountsResult {
  merged: number;
}

/** 'MergeWorkerCounts' query type */
export interface MergeWorkerCountsQuery {
  params: MergeWorkerCountsParams;
  result: MergeWorkerCountsResult;
}

const mergeWorkerCountsIR: any = {"usedParamSet":{"limit":true},"params":[{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":276,"b":282}]}],"statement":"-- Adds to workers what batches have counted, :limit rows at most. Ids that nobody has registered are dropped, and so is what was counted\n-- before the registration.\nWITH taken AS (\n  DELETE FROM worker_counts c USING (\n    SELECT organization_id, id FROM worker_counts LIMIT :limit! FOR UPDATE SKIP LOCKED\n  ) AS chosen\n  WHERE c.organization_id = chosen.organization_id AND c.id = chosen.id\n  RETURNING c.*\n), counted AS (\n  SELECT t.organization_id, d.worker, coalesce(sum(d.jobs) FILTER (WHERE NOT t.failed), 0) AS processed,\n    coalesce(sum(d.jobs) FILTER (WHERE t.failed), 0) AS failed\n  FROM taken t CROSS JOIN LATERAL unnest(t.workers, t.jobs) AS d(worker, jobs)\n  JOIN workers w ON w.organization_id = t.organization_id AND w.id = d.worker AND t.at >= w.registered_at\n  GROUP BY t.organization_id, d.worker\n), written AS (\n  UPDATE workers w SET jobs_processed = w.jobs_processed + c.processed, jobs_failed = w.jobs_failed + c.failed\n  FROM counted c WHERE w.organization_id = c.organization_id AND w.id = c.worker\n)\nSELECT count(*) AS \"merged!\" FROM taken"};

/**
 * Query generated from SQL:
 * ```
 * -- Adds to workers what batches have counted, :limit rows at most. Ids that nobody has registered are dropped, and so is what was counted
 * -- before the registration.
 * WITH taken AS (
 *   DELETE FROM worker_counts c USING (
 *     SELECT organization_id, id FROM worker_counts LIMIT :limit! FOR UPDATE SKIP LOCKED
 *   ) AS chosen
 *   WHERE c.organization_id = chosen.organization_id AND c.id = chosen.id
 *   RETURNING c.*
 * ), counted AS (
 *   SELECT t.organization_id, d.worker, coalesce(sum(d.jobs) FILTER (WHERE NOT t.failed), 0) AS processed,
 *     coalesce(sum(d.jobs) FILTER (WHERE t.failed), 0) AS failed
 *   FROM taken t CROSS JOIN LATERAL unnest(t.workers, t.jobs) AS d(worker, jobs)
 *   JOIN workers w ON w.organization_id = t.organization_id AND w.id = d.worker AND t.at >= w.registered_at
 *   GROUP BY t.organization_id, d.worker
 * ), written AS (
 *   UPDATE workers w SET jobs_processed = w.jobs_processed + c.processed, jobs_failed = w.jobs_failed + c.failed
 *   FROM counted c WHERE w.organization_id = c.organization_id AND w.id = c.worker
 * )
 * SELECT count(*) AS "merged!" FROM taken
 * ```
 */
export const mergeWorkerCounts = new PreparedQuery<MergeWorkerCountsParams,MergeWorkerCountsResult>(mergeWorkerCountsIR);


