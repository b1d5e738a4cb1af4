/** Types generated for queries found in "libs/data-access/src/schedules/delete-schedule.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'DeleteSchedule' parameters type */
export interface DeleteScheduleParams {
  id: string;
  organizationId: string;
}

/** 'DeleteSchedule' return type */
export type DeleteScheduleResult = void;

/** 'DeleteSchedule' query type */
export interface DeleteScheduleQuery {
  params: DeleteScheduleParams;
  result: DeleteScheduleResult;
}

const deleteScheduleIR: any = {"usedParamSet":{"organizationId":true,"id":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":46,"b":61}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":72,"b":75}]}],"statement":"DELETE FROM schedules WHERE organization_id = :organizationId! AND id = :id!"};

/**
 * Query generated from SQL:
 * ```
 * DELETE FROM schedules WHERE organization_id = :organizationId! AND id = :id!
 * ```
 */
export const deleteSchedule = new PreparedQuery<DeleteScheduleParams,DeleteScheduleResult>(deleteScheduleIR);


