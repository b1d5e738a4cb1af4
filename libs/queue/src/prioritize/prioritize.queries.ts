/** Types generated for queries found in "libs/queue/src/prioritize/prioritize.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'Prioritize' parameters type */
export interface PrioritizeParams {
  id: string;
  organizationId: string;
  priority: number;
  queues?: stringArray | null | void;
}

/** 'Prioritize' return type */
export interface PrioritizeResult {
  new: number;
  old: number;
}

/** 'Prioritize' query type */
export interface PrioritizeQuery {
  params: PrioritizeParams;
  result: PrioritizeResult;
}

const prioritizeIR: any = {"usedParamSet":{"organizationId":true,"id":true,"queues":true,"priority":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":235,"b":250},{"a":690,"b":705}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":265,"b":268}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":301,"b":307},{"a":346,"b":352}]},{"name":"priority","required":true,"transform":{"type":"scalar"},"locs":[{"a":418,"b":427},{"a":515,"b":524},{"a":865,"b":874},{"a":919,"b":928},{"a":956,"b":965}]}],"statement":"-- Sets the priority of a waiting job in its live row and its record.\n-- :queues that the key may touch, null = all. Relies on: job_queue primary key.\nWITH before AS (\n  SELECT job_id, priority FROM job_queue\n  WHERE organization_id = :organizationId! AND job_id = :id! AND state <> 'leased'\n    AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))\n  FOR UPDATE\n), live AS (\n  UPDATE job_queue q SET priority = :priority! FROM before b WHERE q.job_id = b.job_id\n), record AS (\n  UPDATE jobs j SET priority = :priority!, updated_at = current_ts() FROM before b WHERE j.id = b.job_id\n), past AS (\n  INSERT INTO job_history (organization_id, job_id, at, event, actor, details)\n  SELECT :organizationId!, job_id, current_ts(statement_timestamp()), 'priority_changed', nullif(current_setting('app.actor', true), ''),\n    json_build_object('from', priority, 'to', :priority!::smallint)\n  FROM before WHERE priority <> :priority!\n)\nSELECT priority AS old, :priority!::smallint AS \"new!\" FROM before"};

/**
 * Query generated from SQL:
 * ```
 * -- Sets the priority of a waiting job in its live row and its record.
 * -- :queues that the key may touch, null = all. Relies on: job_queue primary key.
 * WITH before AS (
 *   SELECT job_id, priority FROM job_queue
 *   WHERE organization_id = :organizationId! AND job_id = :id! AND state <> 'leased'
 *     AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 *   FOR UPDATE
 * ), live AS (
 *   UPDATE job_queue q SET priority = :priority! FROM before b WHERE q.job_id = b.job_id
 * ), record AS (
 *   UPDATE jobs j SET priority = :priority!, updated_at = current_ts() FROM before b WHERE j.id = b.job_id
 * ), past AS (
 *   INSERT INTO job_history (organization_id, job_id, at, event, actor, details)
 *   SELECT :organizationId!, job_id, current_ts(statement_timestamp()), 'priority_changed', nullif(current_setting('app.actor', true), ''),
 *     json_build_object('from', priority, 'to', :priority!::smallint)
 *   FROM before WHERE priority <> :priority!
 * )
 * SELECT priority AS old, :priority!::smallint AS "new!" FROM before
 * ```
 */
export const prioritize = new PreparedQuery<PrioritizeParams,PrioritizeResult>(prioritizeIR);


