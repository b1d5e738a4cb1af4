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

const findDeadLettersIR: any = {"usedParamSet":{"organizationId":true,"ids":true,"queueName":true,"limit":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":143,"b":158},{"a":353,"b":368}]},{"name":"ids","required":false,"transform":{"type":"scalar"},"locs":[{"a":165,"b":168},{"a":203,"b":206}]},{"name":"queueName","required":false,"transform":{"type":"scalar"},"locs":[{"a":217,"b":226},{"a":258,"b":267}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":473,"b":479}]}],"statement":"-- The oldest first. :ids and :queueName null = any. Relies on: dead_letters_oldest.\nSELECT job_id FROM dead_letters d\nWHERE organization_id = :organizationId! AND (:ids::uuid[] IS NULL OR job_id = ANY (:ids))\n  AND (:queueName::text IS NULL OR queue_name = :queueName)\n  AND NOT EXISTS (\n    SELECT FROM queue_deletions x\n    WHERE x.organization_id = :organizationId! AND x.queue_name = d.queue_name AND d.created_at <= x.deleted_until)\nORDER BY created_at, job_id LIMIT :limit!"};

/**
 * Query generated from SQL:
 * ```
 * -- The oldest first. :ids and :queueName null = any. Relies on: dead_letters_oldest.
 * SELECT job_id FROM dead_letters d
 * WHERE organization_id = :organizationId! AND (:ids::uuid[] IS NULL OR job_id = ANY (:ids))
 *   AND (:queueName::text IS NULL OR queue_name = :queueName)
 *   AND NOT EXISTS (
 *     SELECT FROM queue_deletions x
 *     WHERE x.organization_id = :organizationId! AND x.queue_name = d.queue_name AND d.created_at <= x.deleted_until)
 * ORDER BY created_at, job_id LIMIT :limit!
 * ```
 */
export const findDeadLetters = new PreparedQuery<FindDeadLettersParams,FindDeadLettersResult>(findDeadLettersIR);


/** 'FindStepsBeyondLimit' parameters type */
export interface FindStepsBeyondLimitParams {
  ids: stringArray;
  maxWorkflows: number;
  organizationId: string;
}

/** 'FindStepsBeyondLimit' return type */
export interface FindStepsBeyondLimitResult {
  id: string;
}

/** 'FindStepsBeyondLimit' query type */
export interface FindStepsBeyondLimitQuery {
  params: FindStepsBeyondLimitParams;
  result: FindStepsBeyondLimitResult;
}

const findStepsBeyondLimitIR: any = {"usedParamSet":{"ids":true,"organizationId":true,"maxWorkflows":true},"params":[{"name":"ids","required":true,"transform":{"type":"scalar"},"locs":[{"a":192,"b":196}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":404,"b":419}]},{"name":"maxWorkflows","required":true,"transform":{"type":"scalar"},"locs":[{"a":424,"b":437}]}],"statement":"-- Those of :ids that are steps of a workflow, if the organization has more than :maxWorkflows workflows.\n-- Relies on: workflows_newest, primary key of jobs.\nSELECT j.id AS \"id!\" FROM unnest(:ids!::uuid[]) AS wanted(id)\nCROSS JOIN LATERAL (SELECT id, workflow_id FROM jobs WHERE id = wanted.id OFFSET 0) AS j\nWHERE j.workflow_id IS NOT NULL\n  AND (SELECT count(*) FROM workflows WHERE organization_id = :organizationId!) > :maxWorkflows!::int"};

/**
 * Query generated from SQL:
 * ```
 * -- Those of :ids that are steps of a workflow, if the organization has more than :maxWorkflows workflows.
 * -- Relies on: workflows_newest, primary key of jobs.
 * SELECT j.id AS "id!" FROM unnest(:ids!::uuid[]) AS wanted(id)
 * CROSS JOIN LATERAL (SELECT id, workflow_id FROM jobs WHERE id = wanted.id OFFSET 0) AS j
 * WHERE j.workflow_id IS NOT NULL
 *   AND (SELECT count(*) FROM workflows WHERE organization_id = :organizationId!) > :maxWorkflows!::int
 * ```
 */
export const findStepsBeyondLimit = new PreparedQuery<FindStepsBeyondLimitParams,FindStepsBeyondLimitResult>(findStepsBeyondLimitIR);


