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

const countJobsIR: any = {"usedParamSet":{"organizationId":true,"queues":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":303,"b":318},{"a":479,"b":494},{"a":628,"b":643},{"a":804,"b":819},{"a":1028,"b":1043},{"a":1204,"b":1219},{"a":1416,"b":1431},{"a":1592,"b":1607},{"a":1865,"b":1880},{"a":2041,"b":2056},{"a":2285,"b":2300},{"a":2461,"b":2476}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":325,"b":331},{"a":370,"b":376},{"a":650,"b":656},{"a":695,"b":701},{"a":1050,"b":1056},{"a":1095,"b":1101},{"a":1438,"b":1444},{"a":1483,"b":1489},{"a":1887,"b":1893},{"a":1932,"b":1938},{"a":2307,"b":2313},{"a":2352,"b":2358}]}],"statement":"-- Number of jobs in each status. Live jobs are counted in job_queue, each state by its partial index; finished jobs come from\n-- counters.\n-- :queues null = all. Queues whose jobs are being deleted are left out until those are gone.\nSELECT\n  (SELECT count(*) FROM job_queue\n    WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND queue_name <> ALL (\n      ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs)) AND state = 'ready'\n      AND dependencies_met)\n  + (SELECT count(*) FROM job_queue\n    WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND queue_name <> ALL (\n      ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs)) AND state = 'ready'\n      AND NOT dependencies_met)\n  + waiting.retrying AS \"pending!\",\n  waiting.scheduled AS \"scheduled!\",\n  (SELECT count(*) FROM job_queue\n    WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND queue_name <> ALL (\n      ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs))\n      AND state = 'leased') AS \"processing!\",\n  finished.completed AS \"completed!\",\n  0::bigint AS \"failed!\",\n  (SELECT count(*) FROM dead_letters\n    WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND queue_name <> ALL (\n      ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs))) AS \"deadletter!\",\n  finished.cancelled AS \"cancelled!\"\nFROM (\n  SELECT\n    count(*) FILTER (WHERE state = 'retrying') AS retrying,\n    count(*) FILTER (WHERE state = 'scheduled') AS scheduled\n  FROM job_queue\n  WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND queue_name <> ALL (\n      ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs)) AND state IN ('scheduled',\n    'retrying')\n) waiting,\n(\n  SELECT coalesce(sum(completed), 0)::bigint AS completed, coalesce(sum(cancelled), 0)::bigint AS cancelled\n  FROM job_stats\n  WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND queue_name <> ALL (\n      ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs))\n) finished"};

/**
 * Query generated from SQL:
 * ```
 * -- Number of jobs in each status. Live jobs are counted in job_queue, each state by its partial index; finished jobs come from
 * -- counters.
 * -- :queues null = all. Queues whose jobs are being deleted are left out until those are gone.
 * SELECT
 *   (SELECT count(*) FROM job_queue
 *     WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND queue_name <> ALL (
 *       ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs)) AND state = 'ready'
 *       AND dependencies_met)
 *   + (SELECT count(*) FROM job_queue
 *     WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND queue_name <> ALL (
 *       ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs)) AND state = 'ready'
 *       AND NOT dependencies_met)
 *   + waiting.retrying AS "pending!",
 *   waiting.scheduled AS "scheduled!",
 *   (SELECT count(*) FROM job_queue
 *     WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND queue_name <> ALL (
 *       ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs))
 *       AND state = 'leased') AS "processing!",
 *   finished.completed AS "completed!",
 *   0::bigint AS "failed!",
 *   (SELECT count(*) FROM dead_letters
 *     WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND queue_name <> ALL (
 *       ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs))) AS "deadletter!",
 *   finished.cancelled AS "cancelled!"
 * FROM (
 *   SELECT
 *     count(*) FILTER (WHERE state = 'retrying') AS retrying,
 *     count(*) FILTER (WHERE state = 'scheduled') AS scheduled
 *   FROM job_queue
 *   WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND queue_name <> ALL (
 *       ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs)) AND state IN ('scheduled',
 *     'retrying')
 * ) waiting,
 * (
 *   SELECT coalesce(sum(completed), 0)::bigint AS completed, coalesce(sum(cancelled), 0)::bigint AS cancelled
 *   FROM job_stats
 *   WHERE organization_id = :organizationId! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues)) AND queue_name <> ALL (
 *       ARRAY(SELECT queue_name FROM queue_deletions WHERE organization_id = :organizationId! AND has_live_jobs))
 * ) finished
 * ```
 */
export const countJobs = new PreparedQuery<CountJobsParams,CountJobsResult>(countJobsIR);


