/** Types generated for queries found in "libs/data-access/src/organizations/remove-organization.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'RemoveOrganization' parameters type */
export type RemoveOrganizationParams = void;

/** 'RemoveOrganization' return type */
export type RemoveOrganizationResult = void;

/** 'RemoveOrganization' query type */
export interface RemoveOrganizationQuery {
  params: RemoveOrganizationParams;
  result: RemoveOrganizationResult;
}

const removeOrganizationIR: any = {"usedParamSet":{},"params":[],"statement":"-- Deletes the current organization; the only statement in which the gateway deletes rows that other services write. Row-level\n-- security restricts each part to the organization. Keys, queue settings, schedules, workflows and webhooks are deleted by cascade.\nWITH\n  a AS (DELETE FROM jobs WHERE created_at > '-infinity'),\n  b AS (DELETE FROM job_queue),\n  c AS (DELETE FROM idempotency_keys),\n  d AS (DELETE FROM dead_letters),\n  e AS (DELETE FROM job_history),\n  f AS (DELETE FROM job_dependencies),\n  g AS (DELETE FROM queues),\n  h AS (DELETE FROM job_stats),\n  i AS (DELETE FROM usage_counters),\n  j AS (DELETE FROM workers),\n  k AS (DELETE FROM webhook_deliveries),\n  l AS (DELETE FROM inbound_deliveries)\nDELETE FROM organizations"};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes the current organization; the only statement in which the gateway deletes rows that other services write. Row-level
 * -- security restricts each part to the organization. Keys, queue settings, schedules, workflows and webhooks are deleted by cascade.
 * WITH
 *   a AS (DELETE FROM jobs WHERE created_at > '-infinity'),
 *   b AS (DELETE FROM job_queue),
 *   c AS (DELETE FROM idempotency_keys),
 *   d AS (DELETE FROM dead_letters),
 *   e AS (DELETE FROM job_history),
 *   f AS (DELETE FROM job_dependencies),
 *   g AS (DELETE FROM queues),
 *   h AS (DELETE FROM job_stats),
 *   i AS (DELETE FROM usage_counters),
 *   j AS (DELETE FROM workers),
 *   k AS (DELETE FROM webhook_deliveries),
 *   l AS (DELETE FROM inbound_deliveries)
 * DELETE FROM organizations
 * ```
 */
export const removeOrganization = new PreparedQuery<RemoveOrganizationParams,RemoveOrganizationResult>(removeOrganizationIR);


