/** Types generated for queries found in "libs/data-access/src/partitions/missing-weeks.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'MissingWeeks' parameters type */
export interface MissingWeeksParams {
  table: string;
  weeksAhead: number;
}

/** 'MissingWeeks' return type */
export interface MissingWeeksResult {
  week: string;
}

/** 'MissingWeeks' query type */
export interface MissingWeeksQuery {
  params: MissingWeeksParams;
  result: MissingWeeksResult;
}

const missingWeeksIR: any = {"usedParamSet":{"weeksAhead":true,"table":true},"params":[{"name":"weeksAhead","required":true,"transform":{"type":"scalar"},"locs":[{"a":135,"b":146}]},{"name":"table","required":true,"transform":{"type":"scalar"},"locs":[{"a":286,"b":292}]}],"statement":"-- Mondays without a partition, from the current week to :weeksAhead weeks later.\nSELECT week::date AS \"week!\"\nFROM generate_series(0, :weeksAhead!::int) AS n, LATERAL (SELECT date_trunc('week', current_ts() AT TIME ZONE 'UTC')::date + n * 7 AS week) w\nEXCEPT\nSELECT list_partitions_v1(:table!)\nORDER BY 1"};

/**
 * Query generated from SQL:
 * ```
 * -- Mondays without a partition, from the current week to :weeksAhead weeks later.
 * SELECT week::date AS "week!"
 * FROM generate_series(0, :weeksAhead!::int) AS n, LATERAL (SELECT date_trunc('week', current_ts() AT TIME ZONE 'UTC')::date + n * 7 AS week) w
 * EXCEPT
 * SELECT list_partitions_v1(:table!)
 * ORDER BY 1
 * ```
 */
export const missingWeeks = new PreparedQuery<MissingWeeksParams,MissingWeeksResult>(missingWeeksIR);


