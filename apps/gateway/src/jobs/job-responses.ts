import {
  rawJson,
  type ClaimedJob,
  type EnqueueResult,
  type jobSchemas,
  type Outcome,
  type workSchemas,
} from '@spooled/contracts';
import type { RelativeRow } from '@spooled/data-access';
import { errorBody } from '@spooled/service';
import type { JobEdges } from './jobs.service.js';

export const toBulkResponse = (results: EnqueueResult[]): jobSchemas.BulkResult => ({
  succeeded: results.map(({ jobId, created }, index) => ({ index, job_id: jobId, created })),
  failed: [],
  total: results.length,
  success_count: results.length,
  failure_count: 0,
});

/** Outcome i belongs to job i of the request. */
export function toCompleteManyResponse(
  jobs: workSchemas.CompleteManyBody['jobs'],
  outcomes: Outcome<'job.complete'>[],
): workSchemas.CompleteManyResult {
  const results = jobs.map(({ job_id }, i) => {
    const outcome = outcomes[i]!;
    return outcome.ok
      ? { job_id, success: true as const }
      : { job_id, success: false as const, error: errorBody(outcome.error) };
  });
  const successes = outcomes.filter(({ ok }) => ok).length;
  return { results, total: jobs.length, success_count: successes, failure_count: jobs.length - successes };
}

export const toClaimResponse = (jobs: ClaimedJob[]): string => `{"jobs":[${jobs.map(claimedJob).join(',')}]}`;

const claimedJob = (job: ClaimedJob): string =>
  rawJson(
    {
      id: job.id,
      queue_name: job.queueName,
      priority: job.priority,
      retry_count: job.retryCount,
      max_retries: job.maxRetries,
      timeout_seconds: job.timeoutSeconds,
      lease_expires_at: job.leaseExpiresAt,
      lease_id: job.leaseId,
      created_at: job.createdAt,
      idempotency_key: job.idempotencyKey,
      traceparent: job.traceparent,
    },
    { payload: job.payload },
  );

const edge = ({ job_id, queue_name, status }: RelativeRow): jobSchemas.DependencyEdge => ({
  job_id,
  queue_name,
  status,
  dependency_type: 'success',
  completed: status === 'completed',
});

/** Published SDKs read different member names; the response has all of them. */
export const toDependenciesResponse = ({ job, ...edges }: JobEdges): jobSchemas.JobDependencies => ({
  job_id: job.id,
  status: job.status,
  dependency_mode: job.dependency_mode ?? 'all',
  dependencies_met: edges.dependenciesMet,
  dependencies: edges.dependencies.map(edge),
  dependents: edges.dependents.map(edge),
  omitted: { dependencies: leftOut(edges.dependencies), dependents: leftOut(edges.dependents) },
});

/** How many rows of all there are too many for one response. */
export const leftOut = (rows: { total: number }[]): number => (rows[0]?.total ?? 0) - rows.length;
