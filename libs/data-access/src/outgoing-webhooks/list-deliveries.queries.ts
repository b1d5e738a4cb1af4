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

const listDeliveriesIR: any = {"usedParamSet":{"webhookId":true,"kind":true,"afterTime":true,"afterId":true,"rows":true,"statuses":true,"limit":true,"offset":true,"maxBytes":true},"params":[{"name":"webhookId","required":true,"transform":{"type":"scalar"},"locs":[{"a":588,"b":598}]},{"name":"kind","required":true,"transform":{"type":"scalar"},"locs":[{"a":605,"b":610},{"a":653,"b":658}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":705,"b":714},{"a":760,"b":769}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":772,"b":779}]},{"name":"rows","required":true,"transform":{"type":"scalar"},"locs":[{"a":833,"b":838}]},{"name":"statuses","required":false,"transform":{"type":"scalar"},"locs":[{"a":861,"b":869},{"a":904,"b":912}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":960,"b":966}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":975,"b":982}]},{"name":"maxBytes","required":true,"transform":{"type":"scalar"},"locs":[{"a":1517,"b":1526},{"a":1866,"b":1875}]}],"statement":"-- The deliveries of one webhook of the current organization, newest first, among the next :rows of :kind all, pending or failed.\n-- :statuses null = any; :afterTime and :afterId of the last delivery of the previous page, null = the first page.\n-- found: the deliveries of the page; of these as many are returned as have :maxBytes of payloads, and at least one.\n-- Index: webhook_deliveries_of_webhook, webhook_deliveries_unsent or webhook_deliveries_failed.\nWITH RECURSIVE page AS MATERIALIZED (\n  SELECT id, created_at FROM (\n    SELECT * FROM webhook_deliveries\n    WHERE webhook_id = :webhookId! AND (:kind! <> 'pending' OR status = 'pending') AND (:kind! <> 'failed' OR status = 'failed')\n      AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))\n    ORDER BY created_at DESC, id DESC LIMIT :rows!\n  ) AS next\n  WHERE (:statuses::text[] IS NULL OR status = ANY (:statuses))\n  ORDER BY created_at DESC, id DESC\n  LIMIT :limit! OFFSET :offset!\n), numbered AS MATERIALIZED (\n  SELECT id, row_number() OVER (ORDER BY created_at DESC, id DESC) AS place, count(*) OVER () AS found FROM page\n), sized AS (\n  -- Row by row, because a sum over all rows would read each payload: a page of 100 of 1 MB took three times as long.\n  SELECT 1::bigint AS place, 0::bigint AS bytes_before\n  UNION ALL\n  SELECT s.place + 1, s.bytes_before + (SELECT octet_length(payload::text) FROM webhook_deliveries WHERE id = n.id)\n  FROM sized s JOIN numbered n ON n.place = s.place WHERE s.bytes_before < :maxBytes!\n)\nSELECT d.id, d.webhook_id AS \"webhook_id!\", d.event, d.payload, d.status, d.status_code, d.response_body, d.error, d.attempts, d.created_at,\n  d.delivered_at, n.found AS \"found!\"\nFROM sized s JOIN numbered n ON n.place = s.place CROSS JOIN LATERAL (SELECT * FROM webhook_deliveries WHERE id = n.id OFFSET 0) AS d\nWHERE s.bytes_before < :maxBytes!\nORDER BY d.created_at DESC, d.id DESC"};

/**
 * Query generated from SQL:
 * ```
 * -- The deliveries of one webhook of the current organization, newest first, among the next :rows of :kind all, pending or failed.
 * -- :statuses null = any; :afterTime and :afterId of the last delivery of the previous page, null = the first page.
 * -- found: the deliveries of the page; of these as many are returned as have :maxBytes of payloads, and at least one.
 * -- Index: webhook_deliveries_of_webhook, webhook_deliveries_unsent or webhook_deliveries_failed.
 * WITH RECURSIVE page AS MATERIALIZED (
 *   SELECT id, created_at FROM (
 *     SELECT * FROM webhook_deliveries
 *     WHERE webhook_id = :webhookId! AND (:kind! <> 'pending' OR status = 'pending') AND (:kind! <> 'failed' OR status = 'failed')
 *       AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
 *     ORDER BY created_at DESC, id DESC LIMIT :rows!
 *   ) AS next
 *   WHERE (:statuses::text[] IS NULL OR status = ANY (:statuses))
 *   ORDER BY created_at DESC, id DESC
 *   LIMIT :limit! OFFSET :offset!
 * ), numbered AS MATERIALIZED (
 *   SELECT id, row_number() OVER (ORDER BY created_at DESC, id DESC) AS place, count(*) OVER () AS found FROM page
 * ), sized AS (
 *   -- Row by row, because a sum over all rows would read each payload: a page of 100 of 1 MB took three times as long.
 *   SELECT 1::bigint AS place, 0::bigint AS bytes_before
 *   UNION ALL
 *   SELECT s.place + 1, s.bytes_before + (SELECT octet_length(payload::text) FROM webhook_deliveries WHERE id = n.id)
 *   FROM sized s JOIN numbered n ON n.place = s.place WHERE s.bytes_before < :maxBytes!
 * )
 * SELECT d.id, d.webhook_id AS "webhook_id!", d.event, d.payload, d.status, d.status_code, d.response_body, d.error, d.attempts, d.created_at,
 *   d.delivered_at, n.found AS "found!"
 * FROM sized s JOIN numbered n ON n.place = s.place CROSS JOIN LATERAL (SELECT * FROM webhook_deliveries WHERE id = n.id OFFSET 0) AS d
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


