/** Types generated for queries found in "libs/data-access/src/schedules/count-active-schedules.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'LockActiveSchedules' parameters type */
export interface LockActiveSchedulesParams {
  organizationId: string;
}

/** 'LockActiveSchedules' return type */
export interface LockActiveSchedulesResult {
  done: undefined | null;
}

/** 'LockActiveSchedules' query type */
export interface LockActiveSchedulesQuery {
  params: LockActiveSchedulesParams;
  result: LockActiveSchedulesResult;
}

const lockActiveSchedulesIR: any = {"usedParamSet":{"organizationId":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":146,"b":161}]}],"statement":"-- Serializes transactions that count and then activate schedules; held until the transaction ends.\nSELECT pg_advisory_xact_lock(hashtextextended(:organizationId!::text || ':schedules', 0)) AS done"};

/**
 * Query generated from SQL:
 * ```
 * -- Serializes transactions that count and then activate schedules; held until the transaction ends.
 * SELECT pg_advisory_xact_lock(hashtextextended(:organizationId!::text || ':schedules', 0)) AS done
 * ```
 */
export const lockActiveSchedules = new PreparedQuery<LockActiveSchedulesParams,LockActiveSchedulesResult>(lockActiveSchedulesIR);


/** 'CountActiveSchedules' parameters type */
export interface CountActiveSchedulesParams {
  organizationId: string;
}

/** 'CountActiveSchedules' return type */
export interface CountActiveSchedulesResult {
  active: number;
}

/** 'CountActiveSchedules' query type */
export interface CountActiveSchedulesQuery {
  params: CountActiveSchedulesParams;
  result: CountActiveSchedulesResult;
}

const countActiveSchedulesIR: any = {"usedParamSet":{"organizationId":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":68,"b":83}]}],"statement":"SELECT count(*) AS \"active!\" FROM schedules WHERE organization_id = :organizationId! AND is_active"};

/**
 * Query generated from SQL:
 * ```
 * SELECT count(*) AS "active!" FROM schedules WHERE organization_id = :organizationId! AND is_active
 * ```
 */
export const countActiveSchedules = new PreparedQuery<CountActiveSchedulesParams,CountActiveSchedulesResult>(countActiveSchedulesIR);


