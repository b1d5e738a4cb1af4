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

const listPushQueuesIR: any = {"usedParamSet":{"limit":true},"params":[{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":1387,"b":1393}]}],"statement":"-- Push queues of all organizations that are not paused, with the settings of their receivers, and whether each has a job that can be\n-- claimed now. Of more than :limit, each organization has its first ones, so that none takes the places of the others.\n-- Index: queue_config_push, queue_config_push_jobs, job_queue_claim, job_queue_waiting.\nSELECT c.organization_id, c.queue_name,\n  jsonb_build_object('push', c.settings -> 'push', 'callback_url', c.settings -> 'callback_url',\n    'callback_headers', c.settings -> 'callback_headers', 'callback_secret', c.settings -> 'callback_secret',\n    'callback_timeout_seconds', c.settings -> 'callback_timeout_seconds', 'concurrency', c.settings -> 'concurrency') AS \"settings!\",\n  EXISTS (\n    SELECT FROM job_queue q\n    WHERE q.organization_id = c.organization_id AND q.queue_name = c.queue_name AND q.state = 'ready' AND q.dependencies_met\n  ) OR EXISTS (\n    SELECT FROM job_queue q\n    WHERE q.organization_id = c.organization_id AND q.queue_name = c.queue_name AND q.state IN ('scheduled', 'retrying')\n      AND q.due_at <= current_ts()\n  ) AS \"has_work!\"\nFROM (\n  SELECT organization_id, queue_name, settings FROM queue_config\n  WHERE enabled AND (jsonb_typeof(settings -> 'callback_url') = 'string' OR settings -> 'push' = 'true')\n  ORDER BY row_number() OVER (PARTITION BY organization_id ORDER BY queue_name), organization_id LIMIT :limit!\n) AS c"};

/**
 * Query generated from SQL:
 * ```
 * -- Push queues of all organizations that are not paused, with the settings of their receivers, and whether each has a job that can be
 * -- claimed now. Of more than :limit, each organization has its first ones, so that none takes the places of the others.
 * -- Index: queue_config_push, queue_config_push_jobs, job_queue_claim, job_queue_waiting.
 * SELECT c.organization_id, c.queue_name,
 *   jsonb_build_object('push', c.settings -> 'push', 'callback_url', c.settings -> 'callback_url',
 *     'callback_headers', c.settings -> 'callback_headers', 'callback_secret', c.settings -> 'callback_secret',
 *     'callback_timeout_seconds', c.settings -> 'callback_timeout_seconds', 'concurrency', c.settings -> 'concurrency') AS "settings!",
 *   EXISTS (
 *     SELECT FROM job_queue q
 *     WHERE q.organization_id = c.organization_id AND q.queue_name = c.queue_name AND q.state = 'ready' AND q.dependencies_met
 *   ) OR EXISTS (
 *     SELECT FROM job_queue q
 *     WHERE q.organization_id = c.organization_id AND q.queue_name = c.queue_name AND q.state IN ('scheduled', 'retrying')
 *       AND q.due_at <= current_ts()
 *   ) AS "has_work!"
 * FROM (
 *   SELECT organization_id, queue_name, settings FROM queue_config
 *   WHERE enabled AND (jsonb_typeof(settings -> 'callback_url') = 'string' OR settings -> 'push' = 'true')
 *   ORDER BY row_number() OVER (PARTITION BY organization_id ORDER BY queue_name), organization_id LIMIT :limit!
 * ) AS c
 * ```
 */
export const listPushQueues = new PreparedQuery<ListPushQueuesParams,ListPushQueuesResult>(listPushQueuesIR);


