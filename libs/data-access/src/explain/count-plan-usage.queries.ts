/** Types generated for queries found in "libs/data-access/src/explain/count-plan-usage.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'CountPlanUsage' parameters type */
export interface CountPlanUsageParams {
  most: number;
  organizationId: string;
}

/** 'CountPlanUsage' return type */
export interface CountPlanUsageResult {
  active_jobs: number;
  jobs_today: number;
  tomorrow: string;
}

/** 'CountPlanUsage' query type */
export interface CountPlanUsageQuery {
  params: CountPlanUsageParams;
  result: CountPlanUsageResult;
}

const countPlanUsageIR: any = {"usedParamSet":{"organizationId":true,"most":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":330,"b":345},{"a":486,"b":501},{"a":623,"b":638},{"a":758,"b":773},{"a":875,"b":890}]},{"name":"most","required":true,"transform":{"type":"scalar"},"locs":[{"a":550,"b":555},{"a":685,"b":690},{"a":802,"b":807},{"a":943,"b":948}]}],"statement":"-- Jobs that the organization created today (UTC) and has alive; of the latter each state is counted up to :most.\n-- Relies on usage_counters primary key; the partial indexes of job_queue, which together cover every live row.\nSELECT\n  (SELECT coalesce(sum(jobs_created), 0)::bigint FROM usage_counters\n    WHERE organization_id = :organizationId! AND day = (now() AT TIME ZONE 'UTC')::date) AS \"jobs_today!\",\n  (SELECT count(*) FROM (\n    (SELECT FROM job_queue WHERE organization_id = :organizationId! AND state = 'ready' AND dependencies_met LIMIT :most!)\n    UNION ALL\n    (SELECT FROM job_queue WHERE organization_id = :organizationId! AND state IN ('scheduled', 'retrying') LIMIT :most!)\n    UNION ALL\n    (SELECT FROM job_queue WHERE organization_id = :organizationId! AND state = 'leased' LIMIT :most!)\n    UNION ALL\n    (SELECT FROM job_queue WHERE organization_id = :organizationId! AND NOT dependencies_met AND state = 'ready' LIMIT :most!)\n  ) AS counted) AS \"active_jobs!\",\n  (((now() AT TIME ZONE 'UTC')::date + 1)::timestamp AT TIME ZONE 'UTC') AS \"tomorrow!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Jobs that the organization created today (UTC) and has alive; of the latter each state is counted up to :most.
 * -- Relies on usage_counters primary key; the partial indexes of job_queue, which together cover every live row.
 * SELECT
 *   (SELECT coalesce(sum(jobs_created), 0)::bigint FROM usage_counters
 *     WHERE organization_id = :organizationId! AND day = (now() AT TIME ZONE 'UTC')::date) AS "jobs_today!",
 *   (SELECT count(*) FROM (
 *     (SELECT FROM job_queue WHERE organization_id = :organizationId! AND state = 'ready' AND dependencies_met LIMIT :most!)
 *     UNION ALL
 *     (SELECT FROM job_queue WHERE organization_id = :organizationId! AND state IN ('scheduled', 'retrying') LIMIT :most!)
 *     UNION ALL
 *     (SELECT FROM job_queue WHERE organization_id = :organizationId! AND state = 'leased' LIMIT :most!)
 *     UNION ALL
 *     (SELECT FROM job_queue WHERE organization_id = :organizationId! AND NOT dependencies_met AND state = 'ready' LIMIT :most!)
 *   ) AS counted) AS "active_jobs!",
 *   (((now() AT TIME ZONE 'UTC')::date + 1)::timestamp AT TIME ZONE 'UTC') AS "tomorrow!"
 * ```
 */
export const countPlanUsage = new PreparedQuery<CountPlanUsageParams,CountPlanUsageResult>(countPlanUsageIR);


