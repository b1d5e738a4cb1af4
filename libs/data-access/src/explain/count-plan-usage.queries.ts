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

const countPlanUsageIR: any = {"usedParamSet":{"organizationId":true,"most":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":435,"b":450},{"a":641,"b":656},{"a":868,"b":883},{"a":1032,"b":1047},{"a":1178,"b":1193}]},{"name":"most","required":true,"transform":{"type":"scalar"},"locs":[{"a":725,"b":730},{"a":950,"b":955},{"a":1096,"b":1101},{"a":1246,"b":1251},{"a":1292,"b":1297}]}],"statement":"-- Jobs that the organization created today (UTC) and has alive, the latter counted up to :most.\n-- Ordered as only the indexes of the tenant are, because those that serve all tenants would read the rows of the others.\n-- Relies on usage_counters primary key; the partial indexes of job_queue, which together cover every live row.\nSELECT\n  (SELECT coalesce(sum(jobs_created), 0)::bigint FROM usage_counters\n    WHERE organization_id = :organizationId! AND day = (current_ts() AT TIME ZONE 'UTC')::date) AS \"jobs_today!\",\n  (SELECT count(*) FROM (\n    SELECT FROM (\n      (SELECT true AS counts FROM job_queue\n        WHERE organization_id = :organizationId! AND state = 'ready' AND dependencies_met ORDER BY queue_name LIMIT :most!)\n      UNION ALL\n      -- Blocked ones are counted below.\n      (SELECT dependencies_met FROM job_queue\n        WHERE organization_id = :organizationId! AND state IN ('scheduled', 'retrying') ORDER BY queue_name LIMIT :most!)\n      UNION ALL\n      (SELECT true FROM job_queue WHERE organization_id = :organizationId! AND state = 'leased' ORDER BY queue_name LIMIT :most!)\n      UNION ALL\n      (SELECT true FROM job_queue WHERE organization_id = :organizationId! AND NOT dependencies_met ORDER BY queue_name LIMIT :most!)\n    ) AS alive\n    WHERE counts LIMIT :most!\n  ) AS counted) AS \"active_jobs!\",\n  (((current_ts() AT TIME ZONE 'UTC')::date + 1)::timestamp AT TIME ZONE 'UTC') AS \"tomorrow!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Jobs that the organization created today (UTC) and has alive, the latter counted up to :most.
 * -- Ordered as only the indexes of the tenant are, because those that serve all tenants would read the rows of the others.
 * -- Relies on usage_counters primary key; the partial indexes of job_queue, which together cover every live row.
 * SELECT
 *   (SELECT coalesce(sum(jobs_created), 0)::bigint FROM usage_counters
 *     WHERE organization_id = :organizationId! AND day = (current_ts() AT TIME ZONE 'UTC')::date) AS "jobs_today!",
 *   (SELECT count(*) FROM (
 *     SELECT FROM (
 *       (SELECT true AS counts FROM job_queue
 *         WHERE organization_id = :organizationId! AND state = 'ready' AND dependencies_met ORDER BY queue_name LIMIT :most!)
 *       UNION ALL
 *       -- Blocked ones are counted below.
 *       (SELECT dependencies_met FROM job_queue
 *         WHERE organization_id = :organizationId! AND state IN ('scheduled', 'retrying') ORDER BY queue_name LIMIT :most!)
 *       UNION ALL
 *       (SELECT true FROM job_queue WHERE organization_id = :organizationId! AND state = 'leased' ORDER BY queue_name LIMIT :most!)
 *       UNION ALL
 *       (SELECT true FROM job_queue WHERE organization_id = :organizationId! AND NOT dependencies_met ORDER BY queue_name LIMIT :most!)
 *     ) AS alive
 *     WHERE counts LIMIT :most!
 *   ) AS counted) AS "active_jobs!",
 *   (((current_ts() AT TIME ZONE 'UTC')::date + 1)::timestamp AT TIME ZONE 'UTC') AS "tomorrow!"
 * ```
 */
export const countPlanUsage = new PreparedQuery<CountPlanUsageParams,CountPlanUsageResult>(countPlanUsageIR);


