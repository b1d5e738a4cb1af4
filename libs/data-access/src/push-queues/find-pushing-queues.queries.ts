/** Types generated for queries found in "libs/data-access/src/push-queues/find-pushing-queues.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'FindPushingQueues' parameters type */
export interface FindPushingQueuesParams {
  organizationId: string;
  queueNames: stringArray;
}

/** 'FindPushingQueues' return type */
export interface FindPushingQueuesResult {
  queue_name: string;
}

/** 'FindPushingQueues' query type */
export interface FindPushingQueuesQuery {
  params: FindPushingQueuesParams;
  result: FindPushingQueuesResult;
}

const findPushingQueuesIR: any = {"usedParamSet":{"organizationId":true,"queueNames":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":159,"b":174}]},{"name":"queueNames","required":true,"transform":{"type":"scalar"},"locs":[{"a":198,"b":209}]}],"statement":"-- Those of :queueNames whose jobs are pushed. Index: queue_config_organization_id_queue_name_key.\nSELECT queue_name FROM queue_config\nWHERE organization_id = :organizationId! AND queue_name = ANY (:queueNames!)\n  AND (settings -> 'push' = 'true' OR jsonb_typeof(settings -> 'callback_url') = 'string')"};

/**
 * Query generated from SQL:
 * ```
 * -- Those of :queueNames whose jobs are pushed. Index: queue_config_organization_id_queue_name_key.
 * SELECT queue_name FROM queue_config
 * WHERE organization_id = :organizationId! AND queue_name = ANY (:queueNames!)
 *   AND (settings -> 'push' = 'true' OR jsonb_typeof(settings -> 'callback_url') = 'string')
 * ```
 */
export const findPushingQueues = new PreparedQuery<FindPushingQueuesParams,FindPushingQueuesResult>(findPushingQueuesIR);


