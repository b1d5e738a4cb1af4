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

const countJobsIR: any = {"usedParamSet":{"organizationId":true,"queues":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":288,"b":303},{"a":477,"b":492},{"a":741,"b":756},{"a":993,"b":1008},{"a":1306,"b":1321},{"a":1590,"b":1605}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":310,"b":316},{"a":355,"b":361},{"a":499,"b":505},{"a":544,"b":550},{"a":763,"b":769},{"a":808,"b":814},{"a":1015,"b":1021},{"a":1060,"b":1066},{"a":1328,"b":1334},{"a":1373,"b":1379},{"a":1612,"b":1618},{"a":1657,"b":1663}]}],"statement":"-- How many jobs are in each status. Live ones are counted in the narrow table, each part by the partial index that holds just\n-- these rows; finished ones come from counters, never from history.\n-- :queues null = all.\nSELECT\n  (SELECT count(*) FROM job_queue\n    WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND state = 'ready'\n      AND dependencies_met)\n  + (SELECT count(*) FROM job_queue\n    WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND state = 'ready'\n      AND NOT dependencies_met)\n  + waiting.retrying AS \"pending!\",\n  waiting.scheduled AS \"scheduled!\",\n  (SELECT count(*) FROM job_queue\n    WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))\n      AND state = 'leased') AS \"processing!\",\n  finished.completed AS \"completed!\",\n  0::bigint AS \"failed!\",\n  (SELECT count(*) FROM dead_letters\n    WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))) AS \"deadletter!\",\n  finished.cancelled AS \"cancelled!\"\nFROM (\n  SELECT\n    count(*) FILTER (WHERE state = 'retrying') AS retrying,\n    count(*) FILTER (WHERE state = 'scheduled') AS scheduled\n  FROM job_queue\n  WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND state IN ('scheduled',\n    'retrying')\n) waiting,\n(\n  SELECT coalesce(sum(completed), 0)::bigint AS completed, coalesce(sum(cancelled), 0)::bigint AS cancelled\n  FROM job_stats\n  WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))\n) finished"};

/**
 * Query generated from SQL:
 * ```
 * -- How many jobs are in each status. Live ones are counted in the narrow table, each part by the partial index that holds just
 * -- these rows; finished ones come from counters, never from history.
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


