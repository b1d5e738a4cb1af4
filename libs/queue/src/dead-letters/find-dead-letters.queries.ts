/** Types generated for queries found in "libs/queue/src/dead-letters/find-dead-letters.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'FindDeadLetters' parameters type */
export interface FindDeadLettersParams {
  ids?: stringArray | null | void;
  limit: number;
  organizationId: string;
  queueName?: string | null | void;
}

/** 'FindDeadLetters' return type */
export interface FindDeadLettersResult {
  job_id: string;
}

/** 'FindDeadLetters' query type */
export interface FindDeadLettersQuery {
  params: FindDeadLettersParams;
  result: FindDeadLettersResult;
}

const findDeadLettersIR: any = {"usedParamSet":{"organizationId":true,"ids":true,"queueName":true,"limit":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":141,"b":156}]},{"name":"ids","required":false,"transform":{"type":"scalar"},"locs":[{"a":163,"b":166},{"a":201,"b":204}]},{"name":"queueName","required":false,"transform":{"type":"scalar"},"locs":[{"a":215,"b":224},{"a":256,"b":265}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":302,"b":308}]}],"statement":"-- The oldest first. :ids and :queueName null = any. Relies on: dead_letters_oldest.\nSELECT job_id FROM dead_letters\nWHERE organization_id = :organizationId! AND (:ids::uuid[] IS NULL OR job_id = ANY (:ids))\n  AND (:queueName::text IS NULL OR queue_name = :queueName)\nORDER BY created_at, job_id LIMIT :limit!"};

/**
 * Query generated from SQL:
 * ```
 * -- The oldest first. :ids and :queueName null = any. Relies on: dead_letters_oldest.
 * SELECT job_id FROM dead_letters
 * WHERE organization_id = :organizationId! AND (:ids::uuid[] IS NULL OR job_id = ANY (:ids))
 *   AND (:queueName::text IS NULL OR queue_name = :queueName)
 * ORDER BY created_at, job_id LIMIT :limit!
 * ```
 */
export const findDeadLetters = new PreparedQuery<FindDeadLettersParams,FindDeadLettersResult>(findDeadLettersIR);


