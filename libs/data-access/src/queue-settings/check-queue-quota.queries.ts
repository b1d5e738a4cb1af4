/** Types generated for queries found in "libs/data-access/src/queue-settings/check-queue-quota.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'CheckQueueQuota' parameters type */
export interface CheckQueueQuotaParams {
  organizationId: string;
  queueName: string;
  quota: string;
}

/** 'CheckQueueQuota' return type */
export interface CheckQueueQuotaResult {
  done: undefined | null;
}

/** 'CheckQueueQuota' query type */
export interface CheckQueueQuotaQuery {
  params: CheckQueueQuotaParams;
  result: CheckQueueQuotaResult;
}

const checkQueueQuotaIR: any = {"usedParamSet":{"organizationId":true,"quota":true,"queueName":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":99,"b":114}]},{"name":"quota","required":true,"transform":{"type":"scalar"},"locs":[{"a":117,"b":123}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":135,"b":145}]}],"statement":"-- Fails with SQLSTATE SPQ01 when the plan does not allow another queue.\nSELECT check_job_quota_v1(:organizationId!, :quota!, 0, ARRAY[:queueName!::text]) AS done"};

/**
 * Query generated from SQL:
 * ```
 * -- Fails with SQLSTATE SPQ01 when the plan does not allow another queue.
 * SELECT check_job_quota_v1(:organizationId!, :quota!, 0, ARRAY[:queueName!::text]) AS done
 * ```
 */
export const checkQueueQuota = new PreparedQuery<CheckQueueQuotaParams,CheckQueueQuotaResult>(checkQueueQuotaIR);


