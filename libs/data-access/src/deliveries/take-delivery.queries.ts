/** Types generated for queries found in "libs/data-access/src/deliveries/take-delivery.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'TakeDelivery' parameters type */
export interface TakeDeliveryParams {
  holdSeconds: number;
  id: string;
}

/** 'TakeDelivery' return type */
export interface TakeDeliveryResult {
  attempts: number;
  complete: boolean;
  created_at: string;
  due_in_ms: number;
  enabled: boolean;
  event: string;
  held_until: string | null;
  id: string;
  job_id: string | null;
  payload: string;
  secret: string | null;
  status: string;
  traceparent: string | null;
  url: string | null;
  webhook_id: string | null;
}

/** 'TakeDelivery' query type */
export interface TakeDeliveryQuery {
  params: TakeDeliveryParams;
  result: TakeDeliveryResult;
}

const takeDeliveryIR: any = {"usedParamSet":{"holdSeconds":true,"id":true},"params":[{"name":"holdSeconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":435,"b":447}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":463,"b":466},{"a":1308,"b":1311}]}],"statement":"-- Takes one delivery for an attempt, when it is due: until `held_until` nobody else may take it, and only who knows that moment\n-- may record the attempt. A sender that dies leaves the row pending, and due again after the hold.\n-- Index: primary keys. Returns no row for an unknown delivery; `held_until` is null when it was not taken.\nWITH taken AS (\n  UPDATE webhook_deliveries\n  SET next_attempt_at = now() + make_interval(secs => :holdSeconds!)\n  WHERE id = :id! AND status = 'pending' AND next_attempt_at <= now()\n  RETURNING id, next_attempt_at\n)\nSELECT\n  d.id, d.webhook_id, d.job_id, d.event, d.payload, d.attempts, d.status, d.created_at,\n  coalesce(w.url, d.url, j.completion_webhook) AS url,\n  CASE WHEN d.webhook_id IS NULL THEN j.completion_webhook_secret ELSE w.secret END AS secret,\n  coalesce(w.enabled, true) AS \"enabled!\",\n  -- A completion webhook without its job has lost its secret: it could only be sent unsigned.\n  d.webhook_id IS NOT NULL OR j.id IS NOT NULL AS \"complete!\",\n  j.traceparent,\n  greatest(0, extract(epoch FROM d.next_attempt_at - now()) * 1000)::float8 AS \"due_in_ms!\",\n  t.next_attempt_at AS \"held_until?\"\nFROM webhook_deliveries d\nLEFT JOIN taken t ON t.id = d.id\nLEFT JOIN outgoing_webhooks w ON w.id = d.webhook_id\nLEFT JOIN jobs j ON j.id = d.job_id\nWHERE d.id = :id!"};

/**
 * Query generated from SQL:
 * ```
 * -- Takes one delivery for an attempt, when it is due: until `held_until` nobody else may take it, and only who knows that moment
 * -- may record the attempt. A sender that dies leaves the row pending, and due again after the hold.
 * -- Index: primary keys. Returns no row for an unknown delivery; `held_until` is null when it was not taken.
 * WITH taken AS (
 *   UPDATE webhook_deliveries
 *   SET next_attempt_at = now() + make_interval(secs => :holdSeconds!)
 *   WHERE id = :id! AND status = 'pending' AND next_attempt_at <= now()
 *   RETURNING id, next_attempt_at
 * )
 * SELECT
 *   d.id, d.webhook_id, d.job_id, d.event, d.payload, d.attempts, d.status, d.created_at,
 *   coalesce(w.url, d.url, j.completion_webhook) AS url,
 *   CASE WHEN d.webhook_id IS NULL THEN j.completion_webhook_secret ELSE w.secret END AS secret,
 *   coalesce(w.enabled, true) AS "enabled!",
 *   -- A completion webhook without its job has lost its secret: it could only be sent unsigned.
 *   d.webhook_id IS NOT NULL OR j.id IS NOT NULL AS "complete!",
 *   j.traceparent,
 *   greatest(0, extract(epoch FROM d.next_attempt_at - now()) * 1000)::float8 AS "due_in_ms!",
 *   t.next_attempt_at AS "held_until?"
 * FROM webhook_deliveries d
 * LEFT JOIN taken t ON t.id = d.id
 * LEFT JOIN outgoing_webhooks w ON w.id = d.webhook_id
 * LEFT JOIN jobs j ON j.id = d.job_id
 * WHERE d.id = :id!
 * ```
 */
export const takeDelivery = new PreparedQuery<TakeDeliveryParams,TakeDeliveryResult>(takeDeliveryIR);


