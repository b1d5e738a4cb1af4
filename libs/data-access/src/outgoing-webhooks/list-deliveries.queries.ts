/** Types generated for queries found in "libs/data-access/src/outgoing-webhooks/list-deliveries.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'ListDeliveries' parameters type */
export interface ListDeliveriesParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  limit: number;
  offset: number;
  statuses?: stringArray | null | void;
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

const listDeliveriesIR: any = {"usedParamSet":{"webhookId":true,"statuses":true,"afterTime":true,"afterId":true,"limit":true,"offset":true},"params":[{"name":"webhookId","required":true,"transform":{"type":"scalar"},"locs":[{"a":458,"b":468}]},{"name":"statuses","required":false,"transform":{"type":"scalar"},"locs":[{"a":475,"b":483},{"a":518,"b":526}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":537,"b":546},{"a":592,"b":601}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":604,"b":611}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":661,"b":667}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":676,"b":683}]}],"statement":"-- The deliveries of one webhook of the current organization, newest first.\n-- :statuses null = any; :afterTime and :afterId of the last delivery of the previous page, null = the first page. Index:\n-- webhook_deliveries_of_webhook, for failed ones alone webhook_deliveries_failed.\nSELECT id, webhook_id AS \"webhook_id!\", event, payload, status, status_code, response_body, error, attempts, created_at, delivered_at\nFROM webhook_deliveries\nWHERE webhook_id = :webhookId! AND (:statuses::text[] IS NULL OR status = ANY (:statuses))\n  AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))\nORDER BY created_at DESC, id DESC\nLIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- The deliveries of one webhook of the current organization, newest first.
 * -- :statuses null = any; :afterTime and :afterId of the last delivery of the previous page, null = the first page. Index:
 * -- webhook_deliveries_of_webhook, for failed ones alone webhook_deliveries_failed.
 * SELECT id, webhook_id AS "webhook_id!", event, payload, status, status_code, response_body, error, attempts, created_at, delivered_at
 * FROM webhook_deliveries
 * WHERE webhook_id = :webhookId! AND (:statuses::text[] IS NULL OR status = ANY (:statuses))
 *   AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
 * ORDER BY created_at DESC, id DESC
 * LIMIT :limit! OFFSET :offset!
 * ```
 */
export const listDeliveries = new PreparedQuery<ListDeliveriesParams,ListDeliveriesResult>(listDeliveriesIR);


