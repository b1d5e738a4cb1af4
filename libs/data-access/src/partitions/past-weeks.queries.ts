/** Types generated for queries found in "libs/data-access/src/partitions/past-weeks.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'PastWeeks' parameters type */
export interface PastWeeksParams {
  days: number;
  table: string;
}

/** 'PastWeeks' return type */
export interface PastWeeksResult {
  week: string;
}

/** 'PastWeeks' query type */
export interface PastWeeksQuery {
  params: PastWeeksParams;
  result: PastWeeksResult;
}

const pastWeeksIR: any = {"usedParamSet":{"table":true,"days":true},"params":[{"name":"table","required":true,"transform":{"type":"scalar"},"locs":[{"a":111,"b":117}]},{"name":"days","required":true,"transform":{"type":"scalar"},"locs":[{"a":183,"b":188}]}],"statement":"-- Attached weeks that ended more than :days ago, oldest first.\nSELECT week AS \"week!\" FROM list_partitions_v1(:table!) AS week\nWHERE week + 7 < (current_ts() - make_interval(days => :days!)) AT TIME ZONE 'UTC'\nORDER BY 1"};

/**
 * Query generated from SQL:
 * ```
 * -- Attached weeks that ended more than :days ago, oldest first.
 * SELECT week AS "week!" FROM list_partitions_v1(:table!) AS week
 * WHERE week + 7 < (current_ts() - make_interval(days => :days!)) AT TIME ZONE 'UTC'
 * ORDER BY 1
 * ```
 */
export const pastWeeks = new PreparedQuery<PastWeeksParams,PastWeeksResult>(pastWeeksIR);


