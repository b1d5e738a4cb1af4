/** Types generated for queries found in "libs/data-access/src/schedules/deactivate-schedule.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'DeactivateSchedule' parameters type */
export interface DeactivateScheduleParams {
  id: string;
  organizationId: string;
}

/** 'DeactivateSchedule' return type */
export type DeactivateScheduleResult = void;

/** 'DeactivateSchedule' query type */
export interface DeactivateScheduleQuery {
  params: DeactivateScheduleParams;
  result: DeactivateScheduleResult;
}

const deactivateScheduleIR: any = {"usedParamSet":{"organizationId":true,"id":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":63,"b":78}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":89,"b":92}]}],"statement":"UPDATE schedules SET is_active = false WHERE organization_id = :organizationId! AND id = :id!"};

/**
 * Query generated from SQL:
 * ```
 * UPDATE schedules SET is_active = false WHERE organization_id = :organizationId! AND id = :id!
 * ```
 */
export const deactivateSchedule = new PreparedQuery<DeactivateScheduleParams,DeactivateScheduleResult>(deactivateScheduleIR);


