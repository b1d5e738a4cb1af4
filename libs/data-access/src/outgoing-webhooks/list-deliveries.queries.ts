/** Types generated for queries found in "libs/data-access/src/outgoing-webhooks/list-deliveries.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ListDeliveries' parameters type */
export interface ListDeliveriesParams {
  limit: number;
  offset: number;
  status?: string | null | void;
  webhookId: string;
}

/** 'ListDeliveries' return type */
export interface ListDeliveriesResult {
  attempts: number;
  created_at: string;
  delivered_at: string | null;
  error: string | null;
  event: string;
  id: string;
  payload: string;
  response_body: string | null;
  status: string;
  status_code: number | null;
  webhook_id: string;
}

/** 'ListDeliveries' query type */
export interface ListDeliveriesQuery {
  params: ListDeliveriesParams;
  result: ListDeliveriesResult;
}

const listDeliveriesIR: any = {"usedParamSet":{"webhookId":true,"status":true,"limit":true,"offset":true},"params":[{"name":"webhookId","required":true,"transform":{"type":"scalar"},"locs":[{"a":314,"b":324}]},{"name":"status","required":false,"transform":{"type":"scalar"},"locs":[{"a":331,"b":337},{"a":365,"b":371}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":414,"b":420}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":429,"b":436}]}],"statement":"-- The deliveries of one webhook of the current organization, newest first.\n-- :status null = any. Index: webhook_deliveries_of_webhook.\nSELECT id, webhook_id AS \"webhook_id!\", event, payload, status, status_code, response_body, error, attempts, created_at, delivered_at\nFROM webhook_deliveries\nWHERE webhook_id = :webhookId! AND (:status::text IS NULL OR status = :status)\nORDER BY created_at DESC, id DESC\nLIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- The deliveries of one webhook of the current organization, newest first.
 * -- :status null = any. Index: webhook_deliveries_of_webhook.
 * SELECT id, webhook_id AS "webhook_id!", event, payload, status, status_code, response_body, error, attempts, created_at, delivered_at
 * FROM webhook_deliveries
 * WHERE webhook_id = :webhookId! AND (:status::text IS NULL OR status = :status)
 * ORDER BY created_at DESC, id DESC
 * LIMIT :limit! OFFSET :offset!
 * ```
 */
export const listDeliveries = new PreparedQuery<ListDeliveriesParams,ListDeliveriesResult>(listDeliveriesIR);


