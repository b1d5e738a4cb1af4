/** Types generated for queries found in "libs/data-access/src/queue-settings/find-queue-rate.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'FindQueueRate' parameters type */
export interface FindQueueRateParams {
  queueName: string;
}

/** 'FindQueueRate' return type */
export interface FindQueueRateResult {
  rate_limit: number | null;
}

/** 'FindQueueRate' query type */
export interface FindQueueRateQuery {
  params: FindQueueRateParams;
  result: FindQueueRateResult;
}

const findQueueRateIR: any = {"usedParamSet":{"queueName":true},"params":[{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":212,"b":222}]}],"statement":"-- The rate limit of a queue of the current organization in claimed jobs per second; null or no row = no limit.\nSELECT rate_limit FROM queue_config WHERE organization_id = current_organization() AND queue_name = :queueName!"};

/**
 * Query generated from SQL:
 * ```
 * -- The rate limit of a queue of the current organization in claimed jobs per second; null or no row = no limit.
 * SELECT rate_limit FROM queue_config WHERE organization_id = current_organization() AND queue_name = :queueName!
 * ```
 */
export const findQueueRate = new PreparedQuery<FindQueueRateParams,FindQueueRateResult>(findQueueRateIR);


