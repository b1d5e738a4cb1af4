/** Types generated for queries found in "libs/data-access/src/outgoing-webhooks/list-deliveries.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'ListDeliveries' parameters type */
export interface ListDeliveriesParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  kind: string;
  limit: number;
  maxBytes: number;
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
  found: number;
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

const listDeliveriesIR: any = {"usedParamSet":{"webhookId":true,"kind":true,"afterTime":true,"afterId":true,"rows":true,"statuses":true,"limit":true,"offset":true,"maxBytes":true},"params":[{"name":"webhookId","required":true,"transform":{"type":"scalar"},"locs":[{"a":578,"b":588}]},{"name":"kind","required":true,"transform":{"type":"scalar"},"locs":[{"a":595,"b":600},{"a":643,"b":648}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":695,"b":704},{"a":750,"b":759}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":762,"b":769}]},{"name":"rows","required":true,"transform":{"type":"scalar"},"locs":[{"a":823,"b":828}]},{"name":"statuses","required":false,"transform":{"type":"scalar"},"locs":[{"a":851,"b":859},{"a":894,"b":902}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":950,"b":956}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":965,"b":972}]},{"name":"maxBytes","required":true,"transform":{"type":"scalar"},"locs":[{"a":1548,"b":1557}]}],"statement":"-- The deliveries of one webhook of the current organization, newest first, among the next :rows of :kind all, pending or failed.\n-- :statuses null = any; :afterTime and :afterId of the last delivery of the previous page, null = the first page.\n-- found: the deliveries of the page; of these as many are returned as have :maxBytes of payloads, and at least one.\n-- Index: webhook_deliveries_of_webhook, webhook_deliveries_unsent or webhook_deliveries_failed.\nWITH page AS MATERIALIZED (\n  SELECT id, created_at FROM (\n    SELECT * FROM webhook_deliveries\n    WHERE webhook_id = :webhookId! AND (:kind! <> 'pending' OR status = 'pending') AND (:kind! <> 'failed' OR status = 'failed')\n      AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))\n    ORDER BY created_at DESC, id DESC LIMIT :rows!\n  ) AS next\n  WHERE (:statuses::text[] IS NULL OR status = ANY (:statuses))\n  ORDER BY created_at DESC, id DESC\n  LIMIT :limit! OFFSET :offset!\n), sized AS (\n  SELECT p.id, sum(d.bytes) OVER (ORDER BY p.created_at DESC, p.id DESC) - d.bytes AS bytes_before, count(*) OVER () AS found\n  FROM page p CROSS JOIN LATERAL (SELECT octet_length(payload::text) AS bytes FROM webhook_deliveries WHERE id = p.id OFFSET 0) AS d\n)\nSELECT d.id, d.webhook_id AS \"webhook_id!\", d.event, d.payload, d.status, d.status_code, d.response_body, d.error, d.attempts, d.created_at,\n  d.delivered_at, s.found AS \"found!\"\nFROM sized s CROSS JOIN LATERAL (SELECT * FROM webhook_deliveries WHERE id = s.id OFFSET 0) AS d\nWHERE s.bytes_before < :maxBytes!\nORDER BY d.created_at DESC, d.id DESC"};

/**
 * Query generated from SQL:
 * ```
 * -- The deliveries of one webhook of the current organization, newest first, among the next :rows of :kind all, pending or failed.
 * -- :statuses null = any; :afterTime and :afterId of the last delivery of the previous page, null = the first page.
 * -- found: the deliveries of the page; of these as many are returned as have :maxBytes of payloads, and at least one.
 * -- Index: webhook_deliveries_of_webhook, webhook_deliveries_unsent or webhook_deliveries_failed.
 * WITH page AS MATERIALIZED (
 *   SELECT id, created_at FROM (
 *     SELECT * FROM webhook_deliveries
 *     WHERE webhook_id = :webhookId! AND (:kind! <> 'pending' OR status = 'pending') AND (:kind! <> 'failed' OR status = 'failed')
 *       AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
 *     ORDER BY created_at DESC, id DESC LIMIT :rows!
 *   ) AS next
 *   WHERE (:statuses::text[] IS NULL OR status = ANY (:statuses))
 *   ORDER BY created_at DESC, id DESC
 *   LIMIT :limit! OFFSET :offset!
 * ), sized AS (
 *   SELECT p.id, sum(d.bytes) OVER (ORDER BY p.created_at DESC, p.id DESC) - d.bytes AS bytes_before, count(*) OVER () AS found
 *   FROM page p CROSS JOIN LATERAL (SELECT octet_length(payload::text) AS bytes FROM webhook_deliveries WHERE id = p.id OFFSET 0) AS d
 * )
 * SELECT d.id, d.webhook_id AS "webhook_id!", d.event, d.payload, d.status, d.status_code, d.response_body, d.error, d.attempts, d.created_at,
 *   d.delivered_at, s.found AS "found!"
 * FROM sized s CROSS JOIN LATERAL (SELECT * FROM webhook_deliveries WHERE id = s.id OFFSET 0) AS d
 * WHERE s.bytes_before < :maxBytes!
 * ORDER BY d.created_at DESC, d.id DESC
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


