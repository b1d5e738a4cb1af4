/** Types generated for queries found in "libs/data-access/src/outgoing-webhooks/list-deliveries.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'ListDeliveries' parameters type */
export interface ListDeliveriesParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  kind: string;
  limit: number;
  offset: number;
  rows: number;
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

const listDeliveriesIR: any = {"usedParamSet":{"webhookId":true,"kind":true,"afterTime":true,"afterId":true,"rows":true,"statuses":true,"limit":true,"offset":true},"params":[{"name":"webhookId","required":true,"transform":{"type":"scalar"},"locs":[{"a":539,"b":549}]},{"name":"kind","required":true,"transform":{"type":"scalar"},"locs":[{"a":556,"b":561},{"a":604,"b":609}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":654,"b":663},{"a":709,"b":718}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":721,"b":728}]},{"name":"rows","required":true,"transform":{"type":"scalar"},"locs":[{"a":780,"b":785}]},{"name":"statuses","required":false,"transform":{"type":"scalar"},"locs":[{"a":804,"b":812},{"a":847,"b":855}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":899,"b":905}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":914,"b":921}]}],"statement":"-- The deliveries of one webhook of the current organization, newest first, among the next :rows of :kind all, pending or failed.\n-- :statuses null = any; :afterTime and :afterId of the last delivery of the previous page, null = the first page.\n-- Index: webhook_deliveries_of_webhook, webhook_deliveries_unsent or webhook_deliveries_failed.\nSELECT id, webhook_id AS \"webhook_id!\", event, payload, status, status_code, response_body, error, attempts, created_at, delivered_at\nFROM (\n  SELECT * FROM webhook_deliveries\n  WHERE webhook_id = :webhookId! AND (:kind! <> 'pending' OR status = 'pending') AND (:kind! <> 'failed' OR status = 'failed')\n    AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))\n  ORDER BY created_at DESC, id DESC LIMIT :rows!\n) AS next\nWHERE (:statuses::text[] IS NULL OR status = ANY (:statuses))\nORDER BY created_at DESC, id DESC\nLIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- The deliveries of one webhook of the current organization, newest first, among the next :rows of :kind all, pending or failed.
 * -- :statuses null = any; :afterTime and :afterId of the last delivery of the previous page, null = the first page.
 * -- Index: webhook_deliveries_of_webhook, webhook_deliveries_unsent or webhook_deliveries_failed.
 * SELECT id, webhook_id AS "webhook_id!", event, payload, status, status_code, response_body, error, attempts, created_at, delivered_at
 * FROM (
 *   SELECT * FROM webhook_deliveries
 *   WHERE webhook_id = :webhookId! AND (:kind! <> 'pending' OR status = 'pending') AND (:kind! <> 'failed' OR status = 'failed')
 *     AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
 *   ORDER BY created_at DESC, id DESC LIMIT :rows!
 * ) AS next
 * WHERE (:statuses::text[] IS NULL OR status = ANY (:statuses))
 * ORDER BY created_at DESC, id DESC
 * LIMIT :limit! OFFSET :offset!
 * ```
 */
export const listDeliveries = new PreparedQuery<ListDeliveriesParams,ListDeliveriesResult>(listDeliveriesIR);


/** 'FindDeliveriesEnd' parameters type */
export interface FindDeliveriesEndParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  kind: string;
  rows: number;
  webhookId: string;
}

/** 'FindDeliveriesEnd' return type */
export interface FindDeliveriesEndResult {
  at: string;
  id: string;
}

/** 'FindDeliveriesEnd' query type */
export interface FindDeliveriesEndQuery {
  params: FindDeliveriesEndParams;
  result: FindDeliveriesEndResult;
}

const findDeliveriesEndIR: any = {"usedParamSet":{"webhookId":true,"kind":true,"afterTime":true,"afterId":true,"rows":true},"params":[{"name":"webhookId","required":true,"transform":{"type":"scalar"},"locs":[{"a":127,"b":137}]},{"name":"kind","required":true,"transform":{"type":"scalar"},"locs":[{"a":144,"b":149},{"a":192,"b":197}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":240,"b":249},{"a":295,"b":304}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":307,"b":314}]},{"name":"rows","required":true,"transform":{"type":"scalar"},"locs":[{"a":373,"b":378}]}],"statement":"-- The last of the next :rows; none if there are fewer.\nSELECT created_at AS at, id FROM webhook_deliveries\nWHERE webhook_id = :webhookId! AND (:kind! <> 'pending' OR status = 'pending') AND (:kind! <> 'failed' OR status = 'failed')\n  AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))\nORDER BY created_at DESC, id DESC LIMIT 1 OFFSET :rows!::bigint - 1"};

/**
 * Query generated from SQL:
 * ```
 * -- The last of the next :rows; none if there are fewer.
 * SELECT created_at AS at, id FROM webhook_deliveries
 * WHERE webhook_id = :webhookId! AND (:kind! <> 'pending' OR status = 'pending') AND (:kind! <> 'failed' OR status = 'failed')
 *   AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
 * ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET :rows!::bigint - 1
 * ```
 */
export const findDeliveriesEnd = new PreparedQuery<FindDeliveriesEndParams,FindDeliveriesEndResult>(findDeliveriesEndIR);


