/** Types generated for queries found in "libs/queue/src/queues/count-live-jobs.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'CountLiveJobs' parameters type */
export interface CountLiveJobsParams {
  organizationId: string;
  queueName: string;
}

/** 'CountLiveJobs' return type */
export interface CountLiveJobsResult {
  live: number;
}

/** 'CountLiveJobs' query type */
export interface CountLiveJobsQuery {
  params: CountLiveJobsParams;
  result: CountLiveJobsResult;
}

const countLiveJobsIR: any = {"usedParamSet":{"organizationId":true,"queueName":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":171,"b":186},{"a":323,"b":338},{"a":494,"b":509},{"a":647,"b":662}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":205,"b":215},{"a":357,"b":367},{"a":528,"b":538},{"a":681,"b":691}]}],"statement":"-- Live jobs of one queue. Relies on: the partial indexes of job_queue, which together cover every row.\nSELECT (\n  (SELECT count(*) FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready'\n    AND dependencies_met)\n  + (SELECT count(*) FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName!\n    AND state IN ('scheduled', 'retrying') AND dependencies_met)\n  + (SELECT count(*) FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'leased'\n    AND dependencies_met)\n  + (SELECT count(*) FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName! AND NOT dependencies_met)\n) AS \"live!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Live jobs of one queue. Relies on: the partial indexes of job_queue, which together cover every row.
 * SELECT (
 *   (SELECT count(*) FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready'
 *     AND dependencies_met)
 *   + (SELECT count(*) FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName!
 *     AND state IN ('scheduled', 'retrying') AND dependencies_met)
 *   + (SELECT count(*) FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'leased'
 *     AND dependencies_met)
 *   + (SELECT count(*) FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName! AND NOT dependencies_met)
 * ) AS "live!"
 * ```
 */
export const countLiveJobs = new PreparedQuery<CountLiveJobsParams,CountLiveJobsResult>(countLiveJobsIR);


