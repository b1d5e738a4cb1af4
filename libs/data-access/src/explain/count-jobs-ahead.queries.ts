/** Types generated for queries found in "libs/data-access/src/explain/count-jobs-ahead.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'CountJobsAhead' parameters type */
export interface CountJobsAheadParams {
  id: string;
  most: number;
  organizationId: string;
}

/** 'CountJobsAhead' return type */
export interface CountJobsAheadResult {
  ahead: number;
}

/** 'CountJobsAhead' query type */
export interface CountJobsAheadQuery {
  params: CountJobsAheadParams;
  result: CountJobsAheadResult;
}

const countJobsAheadIR: any = {"usedParamSet":{"most":true,"organizationId":true,"id":true},"params":[{"name":"most","required":true,"transform":{"type":"scalar"},"locs":[{"a":298,"b":303},{"a":629,"b":634},{"a":980,"b":985}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":1041,"b":1056}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":1075,"b":1078}]}],"statement":"-- Number of claimable jobs of the same queue that a claim takes before this job, counted up to :most; no row unless the job is claimable\n-- itself. The order is that of claim_jobs_v1.\n-- Relies on the primary key of job_queue and job_queue_claim; each part stops after :most entries.\nSELECT least(:most!::integer, higher.jobs + older.jobs) AS \"ahead!\"\nFROM job_queue own\nCROSS JOIN LATERAL (\n  SELECT count(*) AS jobs FROM (\n    SELECT FROM job_queue q\n    WHERE q.organization_id = own.organization_id AND q.queue_name = own.queue_name AND q.state = 'ready' AND q.dependencies_met\n      AND q.priority > own.priority\n    LIMIT :most!\n  ) AS counted\n) AS higher\nCROSS JOIN LATERAL (\n  SELECT count(*) AS jobs FROM (\n    SELECT FROM job_queue q\n    WHERE q.organization_id = own.organization_id AND q.queue_name = own.queue_name AND q.state = 'ready' AND q.dependencies_met\n      AND q.priority = own.priority AND (q.created_at, q.job_id) < (own.created_at, own.job_id)\n    LIMIT :most!\n  ) AS counted\n) AS older\nWHERE own.organization_id = :organizationId! AND own.job_id = :id! AND own.state = 'ready' AND own.dependencies_met"};

/**
 * Query generated from SQL:
 * ```
 * -- Number of claimable jobs of the same queue that a claim takes before this job, counted up to :most; no row unless the job is claimable
 * -- itself. The order is that of claim_jobs_v1.
 * -- Relies on the primary key of job_queue and job_queue_claim; each part stops after :most entries.
 * SELECT least(:most!::integer, higher.jobs + older.jobs) AS "ahead!"
 * FROM job_queue own
 * CROSS JOIN LATERAL (
 *   SELECT count(*) AS jobs FROM (
 *     SELECT FROM job_queue q
 *     WHERE q.organization_id = own.organization_id AND q.queue_name = own.queue_name AND q.state = 'ready' AND q.dependencies_met
 *       AND q.priority > own.priority
 *     LIMIT :most!
 *   ) AS counted
 * ) AS higher
 * CROSS JOIN LATERAL (
 *   SELECT count(*) AS jobs FROM (
 *     SELECT FROM job_queue q
 *     WHERE q.organization_id = own.organization_id AND q.queue_name = own.queue_name AND q.state = 'ready' AND q.dependencies_met
 *       AND q.priority = own.priority AND (q.created_at, q.job_id) < (own.created_at, own.job_id)
 *     LIMIT :most!
 *   ) AS counted
 * ) AS older
 * WHERE own.organization_id = :organizationId! AND own.job_id = :id! AND own.state = 'ready' AND own.dependencies_met
 * ```
 */
export const countJobsAhead = new PreparedQuery<CountJobsAheadParams,CountJobsAheadResult>(countJobsAheadIR);


