/** Types generated for queries found in "libs/queue/src/workflows/rerun-steps.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

/** 'LockRevivals' parameters type */
export interface LockRevivalsParams {
  organizationId: string;
}

/** 'LockRevivals' return type */
export interface LockRevivalsResult {
  locked: string | null;
}

/** 'LockRevivals' query type */
export interface LockRevivalsQuery {
  params: LockRevivalsParams;
  result: LockRevivalsResult;
}

const lockRevivalsIR: any = {"usedParamSet":{"organizationId":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":185,"b":200}]}],"statement":"-- The lock that revivals of an organization take first, see requeue_jobs_v1: what is read after it cannot run again meanwhile.\nSELECT pg_advisory_xact_lock(hashtextextended('jobs:' || :organizationId!, 0))::text AS locked"};

/**
 * Query generated from SQL:
 * ```
 * -- The lock that revivals of an organization take first, see requeue_jobs_v1: what is read after it cannot run again meanwhile.
 * SELECT pg_advisory_xact_lock(hashtextextended('jobs:' || :organizationId!, 0))::text AS locked
 * ```
 */
export const lockRevivals = new PreparedQuery<LockRevivalsParams,LockRevivalsResult>(lockRevivalsIR);


/** 'FindRerunSteps' parameters type */
export interface FindRerunStepsParams {
  organizationId: string;
  workflowId: string;
}

/** 'FindRerunSteps' return type */
export interface FindRerunStepsResult {
  dependency_mode: string | null;
  id: string;
  is_blocked: boolean;
  key: string;
  outcome: job_status | null;
  parents: unknown;
}

/** 'FindRerunSteps' query type */
export interface FindRerunStepsQuery {
  params: FindRerunStepsParams;
  result: FindRerunStepsResult;
}

const findRerunStepsIR: any = {"usedParamSet":{"workflowId":true,"organizationId":true},"params":[{"name":"workflowId","required":true,"transform":{"type":"scalar"},"locs":[{"a":722,"b":733}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":759,"b":774}]}],"statement":"-- The jobs of a workflow and what they wait for, without records that are gone. Relies on: workflow_jobs, jobs and job_dependencies\n-- primary keys.\nSELECT m.job_id AS id, m.key, j.outcome, j.dependency_mode,\n  EXISTS (SELECT FROM job_queue q WHERE q.job_id = j.id AND NOT q.dependencies_met) AS \"is_blocked!\",\n  (\n    SELECT coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'key', coalesce(w.key, p.id::text), 'outcome', p.outcome)), '[]')\n    FROM job_dependencies d\n    JOIN jobs p ON p.id = d.depends_on_job_id\n    LEFT JOIN workflow_jobs w ON w.job_id = p.id AND w.workflow_id = m.workflow_id\n    WHERE d.job_id = m.job_id\n  ) AS \"parents!\"\nFROM workflow_jobs m JOIN jobs j ON j.id = m.job_id\nWHERE m.workflow_id = :workflowId! AND m.organization_id = :organizationId!\nORDER BY m.key"};

/**
 * Query generated from SQL:
 * ```
 * -- The jobs of a workflow and what they wait for, without records that are gone. Relies on: workflow_jobs, jobs and job_dependencies
 * -- primary keys.
 * SELECT m.job_id AS id, m.key, j.outcome, j.dependency_mode,
 *   EXISTS (SELECT FROM job_queue q WHERE q.job_id = j.id AND NOT q.dependencies_met) AS "is_blocked!",
 *   (
 *     SELECT coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'key', coalesce(w.key, p.id::text), 'outcome', p.outcome)), '[]')
 *     FROM job_dependencies d
 *     JOIN jobs p ON p.id = d.depends_on_job_id
 *     LEFT JOIN workflow_jobs w ON w.job_id = p.id AND w.workflow_id = m.workflow_id
 *     WHERE d.job_id = m.job_id
 *   ) AS "parents!"
 * FROM workflow_jobs m JOIN jobs j ON j.id = m.job_id
 * WHERE m.workflow_id = :workflowId! AND m.organization_id = :organizationId!
 * ORDER BY m.key
 * ```
 */
export const findRerunSteps = new PreparedQuery<FindRerunStepsParams,FindRerunStepsResult>(findRerunStepsIR);


