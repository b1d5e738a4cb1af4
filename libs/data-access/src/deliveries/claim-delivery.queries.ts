/** Types generated for queries found in "libs/data-access/src/deliveries/claim-delivery.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ClaimDelivery' parameters type */
export interface ClaimDeliveryParams {
  claimSeconds: number;
  id: string;
}

/** 'ClaimDelivery' return type */
export interface ClaimDeliveryResult {
  attempts: number;
  claimed_until: string | null;
  complete: boolean;
  created_at: string;
  due_in_ms: number;
  enabled: boolean;
  event: string;
  format: string;
  id: string;
  job_id: string | null;
  payload: string;
  secret: string | null;
  status: string;
  traceparent: string | null;
  url: string | null;
  webhook_id: string | null;
}

/** 'ClaimDelivery' query type */
export interface ClaimDeliveryQuery {
  params: ClaimDeliveryParams;
  result: ClaimDeliveryResult;
}

const claimDeliveryIR: any = {"usedParamSet":{"claimSeconds":true,"id":true},"params":[{"name":"claimSeconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":464,"b":477}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":493,"b":496},{"a":1450,"b":1453}]}],"statement":"-- Claims one due delivery for an attempt. Until `claimed_until` no other process can claim it, and recording the attempt requires\n-- the same `claimed_until`. If the sender crashes, the delivery is pending and due again after `claimed_until`.\n-- Index: primary keys. Returns no row for an unknown delivery; `claimed_until` is null when it was not claimed.\nWITH claimed AS (\n  UPDATE webhook_deliveries\n  SET next_attempt_at = current_ts() + make_interval(secs => :claimSeconds!)\n  WHERE id = :id! AND status = 'pending' AND next_attempt_at <= current_ts()\n  RETURNING id, next_attempt_at\n)\nSELECT\n  d.id, d.webhook_id, d.job_id, d.event, d.payload, d.attempts, d.status, d.created_at,\n  coalesce(w.url, d.url, j.completion_webhook) AS url,\n  CASE WHEN d.webhook_id IS NULL THEN j.completion_webhook_secret ELSE w.secret END AS secret,\n  -- Completion webhooks always get the json envelope.\n  coalesce(w.format, 'json') AS \"format!\",\n  coalesce(w.enabled, true) AS \"enabled!\",\n  -- Without its job, a completion webhook has no secret and could only be sent unsigned.\n  d.webhook_id IS NOT NULL OR j.id IS NOT NULL AS \"complete!\",\n  j.traceparent,\n  greatest(0, extract(epoch FROM d.next_attempt_at - current_ts()) * 1000)::float8 AS \"due_in_ms!\",\n  t.next_attempt_at AS \"claimed_until?\"\nFROM webhook_deliveries d\nLEFT JOIN claimed t ON t.id = d.id\nLEFT JOIN outgoing_webhooks w ON w.id = d.webhook_id\nLEFT JOIN jobs j ON j.id = d.job_id\nWHERE d.id = :id!"};

/**
 * Query generated from SQL:
 * ```
 * -- Claims one due delivery for an attempt. Until `claimed_until` no other process can claim it, and recording the attempt requires
 * -- the same `claimed_until`. If the sender crashes, the delivery is pending and due again after `claimed_until`.
 * -- Index: primary keys. Returns no row for an unknown delivery; `claimed_until` is null when it was not claimed.
 * WITH claimed AS (
 *   UPDATE webhook_deliveries
 *   SET next_attempt_at = current_ts() + make_interval(secs => :claimSeconds!)
 *   WHERE id = :id! AND status = 'pending' AND next_attempt_at <= current_ts()
 *   RETURNING id, next_attempt_at
 * )
 * SELECT
 *   d.id, d.webhook_id, d.job_id, d.event, d.payload, d.attempts, d.status, d.created_at,
 *   coalesce(w.url, d.url, j.completion_webhook) AS url,
 *   CASE WHEN d.webhook_id IS NULL THEN j.completion_webhook_secret ELSE w.secret END AS secret,
 *   -- Completion webhooks always get the json envelope.
 *   coalesce(w.format, 'json') AS "format!",
 *   coalesce(w.enabled, true) AS "enabled!",
 *   -- Without its job, a completion webhook has no secret and could only be sent unsigned.
 *   d.webhook_id IS NOT NULL OR j.id IS NOT NULL AS "complete!",
 *   j.traceparent,
 *   greatest(0, extract(epoch FROM d.next_attempt_at - current_ts()) * 1000)::float8 AS "due_in_ms!",
 *   t.next_attempt_at AS "claimed_until?"
 * FROM webhook_deliveries d
 * LEFT JOIN claimed t ON t.id = d.id
 * LEFT JOIN outgoing_webhooks w ON w.id = d.webhook_id
 * LEFT JOIN jobs j ON j.id = d.job_id
 * WHERE d.id = :id!
 * ```
 */
export const claimDelivery = new PreparedQuery<ClaimDeliveryParams,ClaimDeliveryResult>(claimDeliveryIR);


