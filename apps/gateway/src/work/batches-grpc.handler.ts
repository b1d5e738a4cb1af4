import { type ServerWritableStream, status } from '@grpc/grpc-js';
import { Injectable } from '@nestjs/common';
import { type ClaimedJob, jobSchemas, queueSchemas, workSchemas } from '@spooled/contracts';
import type {
  BatchJob,
  Failure,
  JobBatch,
  SettleManyRequest,
  SettleManyResponse,
  Settlement,
  SettlementResult,
  StreamBatchesRequest,
} from '@spooled/contracts/grpc';
import { invalidField, isUuid, notFound, SpooledError } from '@spooled/domain';
import { toSpooledError } from '@spooled/service';
import { z } from 'zod';
import { statusOf } from '../grpc/grpc-status.js';
import { DocumentReader } from '../grpc/json-documents.js';
import { sendAll, type StreamSession } from '../grpc/open-streams.js';
import { readRequest, type Received } from '../grpc/received.js';
import { toTimestamp } from '../grpc/timestamp.js';
import type { Caller } from '../grpc/unary-calls.js';
import { validatedMessage } from '../grpc/validated-message.js';
import { ConnectionLeases } from './connection-leases.js';
import { PushedJobs } from './pushed-jobs.js';
import { WorkService } from './work.service.js';

type Call = ServerWritableStream<Received<StreamBatchesRequest>, JobBatch>;

const whole = (min: number, max: number, unset: number) => z.int().min(min).max(max).default(unset);

const streamRequest = z.object({
  queue_names: z.array(queueSchemas.queueName).min(1).max(20),
  worker_id: workSchemas.claimBody.shape.worker_id,
  lease_duration_secs: whole(5, 3600, 300),
  prefetch: whole(1, 1000, 100),
  batch_size: whole(1, 100, 100),
});

const maxSettlements = jobSchemas.maxBulkJobs;

const settleRequest = z.object({
  worker_id: workSchemas.claimBody.shape.worker_id,
  settlements: z.array(z.unknown()).max(maxSettlements),
});

/** Default message limit of clients, less the overhead around the jobs. */
const maxBatchBytes = 4 * 1024 * 1024 - 4096;
/** Everything in a job but its payload, at its longest. */
const jobBytes = 1024;

const settled: SettlementResult = {
  code: '',
  message: '',
  will_retry: false,
  next_retry_delay_secs: 0,
  cancelled: false,
};

/** Jobs pushed and settled in batches (BX-19). */
@Injectable()
export class BatchesGrpcHandler {
  constructor(
    private readonly pushed: PushedJobs,
    private readonly work: WorkService,
    private readonly leases: ConnectionLeases,
  ) {}

  /** Returns when the stream must end. @throws SpooledError 400, 401, 403 scope, 503 */
  async stream(call: Call, session: StreamSession): Promise<void> {
    const request = validatedMessage(streamRequest, await readRequest(call.request));
    await this.pushed.serve(session, {
      queueNames: [...new Set(request.queue_names)],
      workerId: request.worker_id,
      leaseSeconds: request.lease_duration_secs,
      prefetch: request.prefetch,
      // Claims of 1, 2, 4 … would take seven messages for the hundred jobs of one request.
      firstClaim: request.batch_size,
      maxPerClaim: request.batch_size,
      send: (jobs, unless) => sendBatches(call, jobs, unless),
      cancel: ({ jobId, leaseId }) => {
        call.write({ jobs: [], cancellations: [{ job_id: jobId, lease_id: leaseId }] });
      },
    });
  }

  /** Result i belongs to settlement i. @throws SpooledError 400, 503 */
  async settle(caller: Caller, request: SettleManyRequest): Promise<SettleManyResponse> {
    const { worker_id: workerId } = validatedMessage(settleRequest, request);
    requireDistinct(request.settlements);
    const reader = new DocumentReader();
    const results = new Array<SettlementResult>(request.settlements.length);
    const completions: { at: number; body: workSchemas.CompleteManyBody['jobs'][number] }[] = [];
    const failures: Promise<void>[] = [];
    for (const [at, settlement] of request.settlements.entries()) {
      try {
        const proof = readProof(settlement);
        const { complete, fail } = settlement;
        if (complete) {
          const result = await reader.readOptional(complete.result, 'result');
          completions.push({ at, body: { ...proof, result } });
        } else if (fail)
          failures.push(this.fail(caller, workerId, { ...proof, ...fail }).then((one) => void (results[at] = one)));
        else throw invalidField('outcome', 'is required');
      } catch (error) {
        results[at] = refusal(error);
      }
    }
    await Promise.all([...failures, this.complete(caller, workerId, completions, results)]);
    return { results };
  }

  private async complete(
    { principal, connection }: Caller,
    workerId: string,
    completions: { at: number; body: workSchemas.CompleteManyBody['jobs'][number] }[],
    results: SettlementResult[],
  ): Promise<void> {
    if (completions.length === 0) return;
    const jobs = completions.map(({ body }) => body);
    const outcomes = await this.work.completeMany(principal, { worker_id: workerId, jobs });
    outcomes.forEach((outcome, i) => {
      const { at, body } = completions[i]!;
      results[at] = outcome.ok ? settled : refusal(SpooledError.fromShape(outcome.error));
      if (outcome.ok) this.leases.forget(connection, body.job_id);
    });
  }

  /** Never rejects. */
  private async fail(
    { principal, connection }: Caller,
    workerId: string,
    { job_id: jobId, ...failure }: Failure & { job_id: string; lease_id: string },
  ): Promise<SettlementResult> {
    try {
      const body = validatedMessage(workSchemas.failBody, { ...failure, worker_id: workerId });
      if (!isUuid(jobId)) throw notFound('Job');
      const { willRetry, nextRetryDelaySecs, cancelled = false } = await this.work.fail(principal, jobId, body);
      this.leases.forget(connection, jobId);
      return { ...settled, will_retry: willRetry, next_retry_delay_secs: nextRetryDelaySecs, cancelled };
    } catch (error) {
      return refusal(error);
    }
  }
}

/** The jobs in as few messages as the limit on their size allows. Resolves with how many jobs were accepted. */
async function sendBatches(call: Call, jobs: ClaimedJob[], unless: AbortSignal): Promise<number> {
  const batches = batchesOf(jobs);
  const accepted = await sendAll(
    call,
    batches.map((batch) => ({ jobs: batch, cancellations: [] })),
    unless,
  );
  return batches.slice(0, accepted).reduce((sum, batch) => sum + batch.length, 0);
}

function batchesOf(jobs: ClaimedJob[]): BatchJob[][] {
  const batches: BatchJob[][] = [];
  let bytes = Infinity;
  for (const job of jobs) {
    const message = batchJob(job);
    const size = message.payload.length + jobBytes;
    if (bytes + size > maxBatchBytes) {
      batches.push([]);
      bytes = 0;
    }
    bytes += size;
    batches.at(-1)!.push(message);
  }
  return batches;
}

const batchJob = (job: ClaimedJob): BatchJob => ({
  id: job.id,
  queue_name: job.queueName,
  payload: Buffer.from(job.payload),
  priority: job.priority,
  retry_count: job.retryCount,
  max_retries: job.maxRetries,
  timeout_seconds: job.timeoutSeconds,
  lease_id: job.leaseId,
  lease_expires_at: toTimestamp(job.leaseExpiresAt),
  created_at: toTimestamp(job.createdAt),
  idempotency_key: job.idempotencyKey ?? '',
  traceparent: job.traceparent ?? '',
});

/** @throws SpooledError 400 */
function requireDistinct(settlements: Settlement[]): void {
  const seen = new Set<string>();
  for (const { job_id } of settlements) {
    const id = job_id.toLowerCase();
    if (seen.has(id)) throw invalidField('settlements', 'must hold each job once');
    seen.add(id);
  }
}

/** @throws SpooledError 400 without a lease id */
function readProof({ job_id, lease_id }: Settlement): { job_id: string; lease_id: string } {
  if (lease_id === '') throw invalidField('lease_id', 'is required');
  return { job_id: job_id.toLowerCase(), lease_id };
}

/** Codes of errors that share a status with others. */
const ownCodes: ReadonlySet<string> = new Set(['LEASE_EXPIRED', 'CONFLICT']);

function refusal(thrown: unknown): SettlementResult {
  const error = toSpooledError(thrown);
  const code = ownCodes.has(error.code) ? error.code : status[statusOf(error)];
  return { ...settled, code, message: error.message };
}
