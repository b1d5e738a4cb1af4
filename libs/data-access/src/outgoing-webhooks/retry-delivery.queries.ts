/** Types generated for queries found in "libs/data-access/src/outgoing-webhooks/retry-delivery.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'RetryDelivery' parameters type */
export interface RetryDeliveryParams {
  deliveryId: string;
  maxAttempts: number;
  webhookId: string;
}

/** 'RetryDelivery' return type */
export interface RetryDeliveryResult {
  attempts: number | null;
  enabled: boolean | null;
  retried: boolean;
  status: string | null;
}

/** 'RetryDelivery' query type */
export interface RetryDeliveryQuery {
  params: RetryDeliveryParams;
  result: RetryDeliveryResult;
}

const retryDeliveryIR: any = {"usedParamSet":{"deliveryId":true,"webhookId":true,"maxAttempts":true},"params":[{"name":"deliveryId","required":true,"transform":{"type":"scalar"},"locs":[{"a":330,"b":341},{"a":758,"b":769}]},{"name":"webhookId","required":true,"transform":{"type":"scalar"},"locs":[{"a":362,"b":372},{"a":681,"b":691}]},{"name":"maxAttempts","required":true,"transform":{"type":"scalar"},"locs":[{"a":457,"b":469}]}],"statement":"-- Makes a failed delivery of the current organization due again. Returns one row, with nulls for a missing webhook or delivery.\n-- :maxAttempts limit of attempts. Index: primary keys.\nWITH retried AS (\n  UPDATE webhook_deliveries d SET status = 'pending', next_attempt_at = current_ts()\n  FROM outgoing_webhooks w\n  WHERE d.id = :deliveryId! AND d.webhook_id = :webhookId! AND w.id = d.webhook_id AND w.enabled AND d.status = 'failed'\n    AND d.attempts < :maxAttempts!::int\n  RETURNING d.id\n)\nSELECT d.status AS \"status?\", d.attempts AS \"attempts?\", w.enabled AS \"enabled?\", EXISTS (SELECT FROM retried) AS \"retried!\"\nFROM (SELECT) AS one\nLEFT JOIN outgoing_webhooks w ON w.id = :webhookId!\nLEFT JOIN webhook_deliveries d ON d.webhook_id = w.id AND d.id = :deliveryId!"};

/**
 * Query generated from SQL:
 * ```
 * -- Makes a failed delivery of the current organization due again. Returns one row, with nulls for a missing webhook or delivery.
 * -- :maxAttempts limit of attempts. Index: primary keys.
 * WITH retried AS (
 *   UPDATE webhook_deliveries d SET status = 'pending', next_attempt_at = current_ts()
 *   FROM outgoing_webhooks w
 *   WHERE d.id = :deliveryId! AND d.webhook_id = :webhookId! AND w.id = d.webhook_id AND w.enabled AND d.status = 'failed'
 *     AND d.attempts < :maxAttempts!::int
 *   RETURNING d.id
 * )
 * SELECT d.status AS "status?", d.attempts AS "attempts?", w.enabled AS "enabled?", EXISTS (SELECT FROM retried) AS "retried!"
 * FROM (SELECT) AS one
 * LEFT JOIN outgoing_webhooks w ON w.id = :webhookId!
 * LEFT JOIN webhook_deliveries d ON d.webhook_id = w.id AND d.id = :deliveryId!
 * ```
 */
export const retryDelivery = new PreparedQuery<RetryDeliveryParams,RetryDeliveryResult>(retryDeliveryIR);


