/** Types generated for queries found in "libs/data-access/src/retention/delete-workflows.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type numberArray = (number)[];

export type stringArray = (string)[];

/** 'DeleteWorkflows' parameters type */
export interface DeleteWorkflowsParams {
  days: numberArray;
  limit: number;
  organizationIds: stringArray;
}

/** 'DeleteWorkflows' return type */
export interface DeleteWorkflowsResult {
  deleted: number;
}

/** 'DeleteWorkflows' query type */
export interface DeleteWorkflowsQuery {
  params: DeleteWorkflowsParams;
  result: DeleteWorkflowsResult;
}

const deleteWorkflowsIR: any = {"usedParamSet":{"organizationIds":true,"days":true,"limit":true},"params":[{"name":"organizationIds","required":true,"transform":{"type":"scalar"},"locs":[{"a":327,"b":343}]},{"name":"days","required":true,"transform":{"type":"scalar"},"locs":[{"a":354,"b":359}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":764,"b":770},{"a":784,"b":790}]}],"statement":"-- Deletes finished workflows after the retention period of their organization, once all of their jobs are deleted.\n-- :days retention period of each of :organizationIds.\n-- Index: workflows_newest, workflow_jobs_pkey, jobs_pkey.\nWITH horizon AS (\n  SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)\n), old AS MATERIALIZED (\n  SELECT f.id FROM horizon h CROSS JOIN LATERAL (\n    SELECT id FROM workflows f\n    WHERE f.organization_id = h.org AND f.created_at < h.oldest AND f.completed_at < h.oldest\n      AND f.status IN ('completed', 'failed', 'cancelled')\n      AND NOT EXISTS (SELECT FROM workflow_jobs m JOIN jobs j ON j.id = m.job_id WHERE m.workflow_id = f.id)\n    LIMIT :limit!\n  ) f LIMIT :limit!\n), removed AS (\n  DELETE FROM workflows f USING old WHERE f.id = old.id RETURNING f.id\n)\nSELECT count(*) AS \"deleted!\" FROM removed"};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes finished workflows after the retention period of their organization, once all of their jobs are deleted.
 * -- :days retention period of each of :organizationIds.
 * -- Index: workflows_newest, workflow_jobs_pkey, jobs_pkey.
 * WITH horizon AS (
 *   SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)
 * ), old AS MATERIALIZED (
 *   SELECT f.id FROM horizon h CROSS JOIN LATERAL (
 *     SELECT id FROM workflows f
 *     WHERE f.organization_id = h.org AND f.created_at < h.oldest AND f.completed_at < h.oldest
 *       AND f.status IN ('completed', 'failed', 'cancelled')
 *       AND NOT EXISTS (SELECT FROM workflow_jobs m JOIN jobs j ON j.id = m.job_id WHERE m.workflow_id = f.id)
 *     LIMIT :limit!
 *   ) f LIMIT :limit!
 * ), removed AS (
 *   DELETE FROM workflows f USING old WHERE f.id = old.id RETURNING f.id
 * )
 * SELECT count(*) AS "deleted!" FROM removed
 * ```
 */
export const deleteWorkflows = new PreparedQuery<DeleteWorkflowsParams,DeleteWorkflowsResult>(deleteWorkflowsIR);


