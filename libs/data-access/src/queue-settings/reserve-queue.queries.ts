/** Types generated for queries found in "libs/data-access/src/queue-settings/reserve-queue.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ReserveQueue' parameters type */
export interface ReserveQueueParams {
  organizationId: string;
  queueName: string;
  quota: string;
}

/** 'ReserveQueue' return type */
export interface ReserveQueueResult {
  done: undefined | null;
}

/** 'ReserveQueue' query type */
export interface ReserveQueueQuery {
  params: ReserveQueueParams;
  result: ReserveQueueResult;
}

const reserveQueueIR: any = {"usedParamSet":{"organizationId":true,"quota":true,"queueName":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":96,"b":111}]},{"name":"quota","required":true,"transform":{"type":"scalar"},"locs":[{"a":114,"b":120}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":132,"b":142}]}],"statement":"-- Fails with SQLSTATE SPQ01 when the plan has no room for the queue.\nSELECT check_job_quota_v1(:organizationId!, :quota!, 0, ARRAY[:queueName!::text]) AS done"};

/**
 * Query generated from SQL:
 * ```
 * -- Fails with SQLSTATE SPQ01 when the plan has no room for the queue.
 * SELECT check_job_quota_v1(:organizationId!, :quota!, 0, ARRAY[:queueName!::text]) AS done
 * ```
 */
export const reserveQueue = new PreparedQuery<ReserveQueueParams,ReserveQueueResult>(reserveQueueIR);


