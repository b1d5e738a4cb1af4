/** Types generated for queries found in "libs/data-access/src/jobs/count-jobs.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'CountJobs' parameters type */
export interface CountJobsParams {
  organizationId: string;
  queues?: stringArray | null | void;
}

/** 'CountJobs' return type */
export interface CountJobsResult {
  cancelled: number;
  completed: number;
  deadletter: number;
  failed: number;
  pending: number;
  processing: number;
  scheduled: number;
}

/** 'CountJobs' query type */
export interface CountJobsQuery {
  params: CountJobsParams;
  result: CountJobsResult;
}

const countJobsIR: any = {"usedParamSet":{"organizationId":true,"queues":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":232,"b":247},{"a":421,"b":436},{"a":685,"b":700},{"a":937,"b":952},{"a":1250,"b":1265},{"a":1534,"b":1549}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":254,"b":260},{"a":299,"b":305},{"a":443,"b":449},{"a":488,"b":494},{"a":707,"b":713},{"a":752,"b":758},{"a":959,"b":965},{"a":1004,"b":1010},{"a":1272,"b":1278},{"a":1317,"b":1323},{"a":1556,"b":1562},{"a":1601,"b":1607}]}],"statement":"-- Number of jobs in each status. Live jobs are counted in job_queue, each state by its partial index; finished jobs come from\n-- counters.\n-- :queues null = all.\nSELECT\n  (SELECT count(*) FROM job_queue\n    WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND state = 'ready'\n      AND dependencies_met)\n  + (SELECT count(*) FROM job_queue\n    WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND state = 'ready'\n      AND NOT dependencies_met)\n  + waiting.retrying AS \"pending!\",\n  waiting.scheduled AS \"scheduled!\",\n  (SELECT count(*) FROM job_queue\n    WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))\n      AND state = 'leased') AS \"processing!\",\n  finished.completed AS \"completed!\",\n  0::bigint AS \"failed!\",\n  (SELECT count(*) FROM dead_letters\n    WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))) AS \"deadletter!\",\n  finished.cancelled AS \"cancelled!\"\nFROM (\n  SELECT\n    count(*) FILTER (WHERE state = 'retrying') AS retrying,\n    count(*) FILTER (WHERE state = 'scheduled') AS scheduled\n  FROM job_queue\n  WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND state IN ('scheduled',\n    'retrying')\n) waiting,\n(\n  SELECT coalesce(sum(completed), 0)::bigint AS completed, coalesce(sum(cancelled), 0)::bigint AS cancelled\n  FROM job_stats\n  WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))\n) finished"};

/**
 * Query generated from SQL:
 * ```
 * -- Number of jobs in each status. Live jobs are counted in job_queue, each state by its partial index; finished jobs come from
 * -- counters.
 * -- :queues null = all.
 * SELECT
 *   (SELECT count(*) FROM job_queue
 *     WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND state = 'ready'
 *       AND dependencies_met)
 *   + (SELECT count(*) FROM job_queue
 *     WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND state = 'ready'
 *       AND NOT dependencies_met)
 *   + waiting.retrying AS "pending!",
 *   waiting.scheduled AS "scheduled!",
 *   (SELECT count(*) FROM job_queue
 *     WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 *       AND state = 'leased') AS "processing!",
 *   finished.completed AS "completed!",
 *   0::bigint AS "failed!",
 *   (SELECT count(*) FROM dead_letters
 *     WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))) AS "deadletter!",
 *   finished.cancelled AS "cancelled!"
 * FROM (
 *   SELECT
 *     count(*) FILTER (WHERE state = 'retrying') AS retrying,
 *     count(*) FILTER (WHERE state = 'scheduled') AS scheduled
 *   FROM job_queue
 *   WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND state IN ('scheduled',
 *     'retrying')
 * ) waiting,
 * (
 *   SELECT coalesce(sum(completed), 0)::bigint AS completed, coalesce(sum(cancelled), 0)::bigint AS cancelled
 *   FROM job_stats
 *   WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 * ) finished
 * ```
 */
export const countJobs = new PreparedQuery<CountJobsParams,CountJobsResult>(countJobsIR);


