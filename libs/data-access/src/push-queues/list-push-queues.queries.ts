/** Types generated for queries found in "libs/data-access/src/push-queues/list-push-queues.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ListPushQueues' parameters type */
export interface ListPushQueuesParams {
  limit: number;
}

/** 'ListPushQueues' return type */
export interface ListPushQueuesResult {
  has_work: boolean;
  organization_id: string;
  queue_name: string;
  settings: unknown;
}

/** 'ListPushQueues' query type */
export interface ListPushQueuesQuery {
  params: ListPushQueuesParams;
  result: ListPushQueuesResult;
}

const listPushQueuesIR: any = {"usedParamSet":{"limit":true},"params":[{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":765,"b":771}]}],"statement":"-- All push queues of all organizations that are not paused, and whether each has a job that can be claimed now.\n-- Index: queue_config_push, queue_config_push_jobs, job_queue_claim, job_queue_waiting.\nSELECT c.organization_id, c.queue_name, c.settings,\n  EXISTS (\n    SELECT FROM job_queue q\n    WHERE q.organization_id = c.organization_id AND q.queue_name = c.queue_name AND q.state = 'ready' AND q.dependencies_met\n  ) OR EXISTS (\n    SELECT FROM job_queue q\n    WHERE q.organization_id = c.organization_id AND q.queue_name = c.queue_name AND q.state IN ('scheduled', 'retrying')\n      AND q.due_at <= now()\n  ) AS \"has_work!\"\nFROM queue_config c\nWHERE c.enabled AND (jsonb_typeof(c.settings -> 'callback_url') = 'string' OR c.settings -> 'push' = 'true')\nLIMIT :limit!"};

/**
 * Query generated from SQL:
 * ```
 * -- All push queues of all organizations that are not paused, and whether each has a job that can be claimed now.
 * -- Index: queue_config_push, queue_config_push_jobs, job_queue_claim, job_queue_waiting.
 * SELECT c.organization_id, c.queue_name, c.settings,
 *   EXISTS (
 *     SELECT FROM job_queue q
 *     WHERE q.organization_id = c.organization_id AND q.queue_name = c.queue_name AND q.state = 'ready' AND q.dependencies_met
 *   ) OR EXISTS (
 *     SELECT FROM job_queue q
 *     WHERE q.organization_id = c.organization_id AND q.queue_name = c.queue_name AND q.state IN ('scheduled', 'retrying')
 *       AND q.due_at <= now()
 *   ) AS "has_work!"
 * FROM queue_config c
 * WHERE c.enabled AND (jsonb_typeof(c.settings -> 'callback_url') = 'string' OR c.settings -> 'push' = 'true')
 * LIMIT :limit!
 * ```
 */
export const listPushQueues = new PreparedQuery<ListPushQueuesParams,ListPushQueuesResult>(listPushQueuesIR);


