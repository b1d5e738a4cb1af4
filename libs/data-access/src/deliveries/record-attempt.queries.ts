/** Types generated for queries found in "libs/data-access/src/deliveries/record-attempt.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'RecordAttempt' parameters type */
export interface RecordAttemptParams {
  claimedUntil: string;
  disableAfter: number;
  error?: string | null | void;
  id: string;
  responseBody?: string | null | void;
  sent: boolean;
  status: string;
  statusCode?: number | null | void;
  waitSeconds: number;
}

/** 'RecordAttempt' return type */
export interface RecordAttemptResult {
  auto_disabled: boolean;
  recorded: boolean;
}

/** 'RecordAttempt' query type */
export interface RecordAttemptQuery {
  params: RecordAttemptParams;
  result: RecordAttemptResult;
}

const recordAttemptIR: any = {"usedParamSet":{"sent":true,"status":true,"error":true,"statusCode":true,"responseBody":true,"waitSeconds":true,"id":true,"claimedUntil":true,"disableAfter":true},"params":[{"name":"sent","required":true,"transform":{"type":"scalar"},"locs":[{"a":435,"b":440},{"a":629,"b":634},{"a":705,"b":710},{"a":1516,"b":1521}]},{"name":"status","required":true,"transform":{"type":"scalar"},"locs":[{"a":470,"b":477},{"a":859,"b":866}]},{"name":"error","required":false,"transform":{"type":"scalar"},"locs":[{"a":494,"b":499}]},{"name":"statusCode","required":false,"transform":{"type":"scalar"},"locs":[{"a":641,"b":651}]},{"name":"responseBody","required":false,"transform":{"type":"scalar"},"locs":[{"a":717,"b":729}]},{"name":"waitSeconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":814,"b":826}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":921,"b":924}]},{"name":"claimedUntil","required":true,"transform":{"type":"scalar"},"locs":[{"a":971,"b":984}]},{"name":"disableAfter","required":true,"transform":{"type":"scalar"},"locs":[{"a":1284,"b":1297},{"a":1403,"b":1416}]}],"statement":"-- Records one attempt of a delivery that is still claimed. When the delivery is finished, updates its webhook: a success resets\n-- the failure count, the :disableAfter-th consecutive failure disables the webhook.\n-- :sent whether a request was sent (counts as an attempt).\n-- Index: primary keys. The webhook is updated at most once per second for successes.\nWITH recorded AS (\n  UPDATE webhook_deliveries\n  SET attempts = attempts + :sent!::boolean::int,\n    status = :status!::text, error = :error,\n    -- What is not sent, as while the webhook is disabled, keeps the response to the last attempt.\n    status_code = CASE WHEN :sent! THEN :statusCode ELSE status_code END,\n    response_body = CASE WHEN :sent! THEN :responseBody ELSE response_body END,\n    next_attempt_at = current_ts() + make_interval(secs => :waitSeconds!),\n    delivered_at = CASE WHEN :status!::text = 'success' THEN current_ts() END\n  WHERE id = :id! AND status = 'pending' AND next_attempt_at = :claimedUntil!::timestamptz\n  RETURNING webhook_id, status\n), updated_webhook AS (\n  UPDATE outgoing_webhooks w\n  SET last_triggered_at = current_ts(),\n    failure_count = CASE r.status WHEN 'success' THEN 0 ELSE w.failure_count + 1 END,\n    enabled = w.enabled AND (r.status = 'success' OR w.failure_count + 1 < :disableAfter!::int),\n    last_status = CASE\n      WHEN r.status = 'success' THEN 'success' WHEN w.failure_count + 1 < :disableAfter!::int THEN 'failed' ELSE 'auto_disabled'\n    END\n  FROM recorded r\n  WHERE w.id = r.webhook_id AND :sent!::boolean AND r.status <> 'pending'\n    AND NOT (r.status = 'success' AND w.failure_count = 0 AND w.last_status IS NOT DISTINCT FROM 'success'\n      AND w.last_triggered_at > current_ts() - interval '1 second')\n  RETURNING w.last_status\n)\nSELECT EXISTS (SELECT FROM recorded) AS \"recorded!\", EXISTS (SELECT FROM updated_webhook WHERE last_status = 'auto_disabled') AS \"auto_disabled!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Records one attempt of a delivery that is still claimed. When the delivery is finished, updates its webhook: a success resets
 * -- the failure count, the :disableAfter-th consecutive failure disables the webhook.
 * -- :sent whether a request was sent (counts as an attempt).
 * -- Index: primary keys. The webhook is updated at most once per second for successes.
 * WITH recorded AS (
 *   UPDATE webhook_deliveries
 *   SET attempts = attempts + :sent!::boolean::int,
 *     status = :status!::text, error = :error,
 *     -- What is not sent, as while the webhook is disabled, keeps the response to the last attempt.
 *     status_code = CASE WHEN :sent! THEN :statusCode ELSE status_code END,
 *     response_body = CASE WHEN :sent! THEN :responseBody ELSE response_body END,
 *     next_attempt_at = current_ts() + make_interval(secs => :waitSeconds!),
 *     delivered_at = CASE WHEN :status!::text = 'success' THEN current_ts() END
 *   WHERE id = :id! AND status = 'pending' AND next_attempt_at = :claimedUntil!::timestamptz
 *   RETURNING webhook_id, status
 * ), updated_webhook AS (
 *   UPDATE outgoing_webhooks w
 *   SET last_triggered_at = current_ts(),
 *     failure_count = CASE r.status WHEN 'success' THEN 0 ELSE w.failure_count + 1 END,
 *     enabled = w.enabled AND (r.status = 'success' OR w.failure_count + 1 < :disableAfter!::int),
 *     last_status = CASE
 *       WHEN r.status = 'success' THEN 'success' WHEN w.failure_count + 1 < :disableAfter!::int THEN 'failed' ELSE 'auto_disabled'
 *     END
 *   FROM recorded r
 *   WHERE w.id = r.webhook_id AND :sent!::boolean AND r.status <> 'pending'
 *     AND NOT (r.status = 'success' AND w.failure_count = 0 AND w.last_status IS NOT DISTINCT FROM 'success'
 *       AND w.last_triggered_at > current_ts() - interval '1 second')
 *   RETURNING w.last_status
 * )
 * SELECT EXISTS (SELECT FROM recorded) AS "recorded!", EXISTS (SELECT FROM updated_webhook WHERE last_status = 'auto_disabled') AS "auto_disabled!"
 * ```
 */
export const recordAttempt = new PreparedQuery<RecordAttemptParams,RecordAttemptResult>(recordAttemptIR);


