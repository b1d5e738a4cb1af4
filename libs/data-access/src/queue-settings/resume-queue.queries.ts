/** Types generated for queries found in "libs/data-access/src/queue-settings/resume-queue.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ResumeQueue' parameters type */
export interface ResumeQueueParams {
  onlyExpired: boolean;
  organizationId: string;
  queueName: string;
}

/** 'ResumeQueue' return type */
export interface ResumeQueueResult {
  changed: boolean;
  paused_at: string | null;
  resumed_at: string;
}

/** 'ResumeQueue' query type */
export interface ResumeQueueQuery {
  params: ResumeQueueParams;
  result: ResumeQueueResult;
}

const resumeQueueIR: any = {"usedParamSet":{"organizationId":true,"queueName":true,"onlyExpired":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":282,"b":297}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":316,"b":326}]},{"name":"onlyExpired","required":true,"transform":{"type":"scalar"},"locs":[{"a":339,"b":351}]}],"statement":"-- Resumes a queue, with :onlyExpired if its pause has expired; returns when it was paused, or null when it was not paused.\nUPDATE queue_config SET\n  enabled = true, settings = settings - '{paused,paused_at,paused_reason}'::text[], updated_at = current_ts()\nWHERE organization_id = :organizationId! AND queue_name = :queueName!\n  AND (NOT :onlyExpired! OR NOT enabled AND pause_expires_at <= current_ts())\nRETURNING CASE WHEN NOT old.enabled THEN old.settings ->> 'paused_at' END AS paused_at, NOT old.enabled AS \"changed!\",\n  current_ts() AS \"resumed_at!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Resumes a queue, with :onlyExpired if its pause has expired; returns when it was paused, or null when it was not paused.
 * UPDATE queue_config SET
 *   enabled = true, settings = settings - '{paused,paused_at,paused_reason}'::text[], updated_at = current_ts()
 * WHERE organization_id = :organizationId! AND queue_name = :queueName!
 *   AND (NOT :onlyExpired! OR NOT enabled AND pause_expires_at <= current_ts())
 * RETURNING CASE WHEN NOT old.enabled THEN old.settings ->> 'paused_at' END AS paused_at, NOT old.enabled AS "changed!",
 *   current_ts() AS "resumed_at!"
 * ```
 */
export const resumeQueue = new PreparedQuery<ResumeQueueParams,ResumeQueueResult>(resumeQueueIR);


