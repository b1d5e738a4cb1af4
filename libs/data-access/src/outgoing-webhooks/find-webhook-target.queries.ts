/** Types generated for queries found in "libs/data-access/src/outgoing-webhooks/find-webhook-target.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'FindWebhookTarget' parameters type */
export interface FindWebhookTargetParams {
  id: string;
}

/** 'FindWebhookTarget' return type */
export interface FindWebhookTargetResult {
  format: string;
  secret: string | null;
  url: string;
}

/** 'FindWebhookTarget' query type */
export interface FindWebhookTargetQuery {
  params: FindWebhookTargetParams;
  result: FindWebhookTargetResult;
}

const findWebhookTargetIR: any = {"usedParamSet":{"id":true},"params":[{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":61,"b":64}]}],"statement":"SELECT url, secret, format FROM outgoing_webhooks WHERE id = :id!"};

/**
 * Query generated from SQL:
 * ```
 * SELECT url, secret, format FROM outgoing_webhooks WHERE id = :id!
 * ```
 */
export const findWebhookTarget = new PreparedQuery<FindWebhookTargetParams,FindWebhookTargetResult>(findWebhookTargetIR);


