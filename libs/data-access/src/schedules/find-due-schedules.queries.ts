/** Types generated for queries found in "libs/data-access/src/schedules/find-due-schedules.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'FindDueSchedules' parameters type */
export interface FindDueSchedulesParams {
  limit: number;
  maxBytes: number;
}

/** 'FindDueSchedules' return type */
export interface FindDueSchedulesResult {
  changed_at: string;
  cron_expression: string;
  custom_limits: unknown | null;
  due_at: string;
  has_contract: boolean;
  id: string;
  max_retries: number;
  name: string;
  now: string;
  organization_id: string;
  payload: string;
  plan_tier: string;
  priority: number;
  queue_name: string;
  settings: string | null;
  tags: string | null;
  timeout_seconds: number;
  timezone: string;
}

/** 'FindDueSchedules' query type */
export interface FindDueSchedulesQuery {
  params: FindDueSchedulesParams;
  result: FindDueSchedulesResult;
}

const findDueSchedulesIR: any = {"usedParamSet":{"limit":true,"maxBytes":true},"params":[{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":641,"b":647}]},{"name":"maxBytes","required":true,"transform":{"type":"scalar"},"locs":[{"a":1507,"b":1516}]}],"statement":"-- Due schedules with the fields of their jobs, the longest overdue first. Schedules of deleted organizations are deactivated\n-- instead. Returns as many as have :maxBytes of payloads, and at least one.\n-- Index: schedules_due, bounded by statement_timestamp(): an index cannot be searched by the volatile clock_timestamp(), and all active\n-- schedules would be read; payload_contracts_current.\nWITH due AS MATERIALIZED (\n  SELECT s.*, o.plan_tier, o.custom_limits FROM schedules s JOIN organizations o ON o.id = s.organization_id\n  WHERE s.is_active AND s.next_run_at <= current_ts(statement_timestamp()) ORDER BY s.next_run_at, s.id LIMIT :limit!\n), retired AS (\n  UPDATE schedules s SET next_run_at = NULL FROM due WHERE s.id = due.id AND due.plan_tier = 'deleted'\n), sized AS (\n  SELECT *, octet_length(payload_template::text) AS bytes,\n    sum(octet_length(payload_template::text)) OVER (ORDER BY next_run_at, id) AS bytes_so_far\n  FROM due WHERE plan_tier <> 'deleted'\n)\nSELECT\n  id, organization_id, name, cron_expression, timezone, queue_name, payload_template AS payload, priority, max_retries,\n  timeout_seconds, tags::text AS tags, settings::text AS settings, next_run_at AS \"due_at!\", updated_at AS changed_at, plan_tier, custom_limits,\n  EXISTS (\n    SELECT FROM payload_contracts c\n    WHERE c.organization_id = sized.organization_id AND c.queue_name = sized.queue_name AND c.is_current\n  ) AS \"has_contract!\",\n  current_ts(clock_timestamp()) AS \"now!\"\nFROM sized WHERE bytes_so_far - bytes < :maxBytes!"};

/**
 * Query generated from SQL:
 * ```
 * -- Due schedules with the fields of their jobs, the longest overdue first. Schedules of deleted organizations are deactivated
 * -- instead. Returns as many as have :maxBytes of payloads, and at least one.
 * -- Index: schedules_due, bounded by statement_timestamp(): an index cannot be searched by the volatile clock_timestamp(), and all active
 * -- schedules would be read; payload_contracts_current.
 * WITH due AS MATERIALIZED (
 *   SELECT s.*, o.plan_tier, o.custom_limits FROM schedules s JOIN organizations o ON o.id = s.organization_id
 *   WHERE s.is_active AND s.next_run_at <= current_ts(statement_timestamp()) ORDER BY s.next_run_at, s.id LIMIT :limit!
 * ), retired AS (
 *   UPDATE schedules s SET next_run_at = NULL FROM due WHERE s.id = due.id AND due.plan_tier = 'deleted'
 * ), sized AS (
 *   SELECT *, octet_length(payload_template::text) AS bytes,
 *     sum(octet_length(payload_template::text)) OVER (ORDER BY next_run_at, id) AS bytes_so_far
 *   FROM due WHERE plan_tier <> 'deleted'
 * )
 * SELECT
 *   id, organization_id, name, cron_expression, timezone, queue_name, payload_template AS payload, priority, max_retries,
 *   timeout_seconds, tags::text AS tags, settings::text AS settings, next_run_at AS "due_at!", updated_at AS changed_at, plan_tier, custom_limits,
 *   EXISTS (
 *     SELECT FROM payload_contracts c
 *     WHERE c.organization_id = sized.organization_id AND c.queue_name = sized.queue_name AND c.is_current
 *   ) AS "has_contract!",
 *   current_ts(clock_timestamp()) AS "now!"
 * FROM sized WHERE bytes_so_far - bytes < :maxBytes!
 * ```
 */
export const findDueSchedules = new PreparedQuery<FindDueSchedulesParams,FindDueSchedulesResult>(findDueSchedulesIR);


