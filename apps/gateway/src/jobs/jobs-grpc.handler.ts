import { Injectable } from '@nestjs/common';
import { jobSchemas, queueSchemas } from '@spooled/contracts';
import type {
  EnqueueManyRequest,
  EnqueueManyResponse,
  EnqueueRequest,
  EnqueueResponse,
  GetJobRequest,
  GetJobResponse,
  GetQueueStatsRequest,
  GetQueueStatsResponse,
  NewBatchJob,
} from '@spooled/contracts/grpc';
import { invalidField, isUuid, SpooledError } from '@spooled/domain';
import { ownerOfPrincipal, UnsentBytes } from '@spooled/service';
import { z } from 'zod';
import { validatedMessage } from '../grpc/validated-message.js';
import { DocumentReader } from '../grpc/json-documents.js';
import { validDocument } from '../grpc/documents.js';
import { fromTimestamp } from '../grpc/timestamp.js';
import type { Caller } from '../grpc/unary-calls.js';
import { requireUnsentCapacity } from '../load/unsent-responses.js';
import { QueuesService } from '../queues/queues.service.js';
import { bytesOfJobs, storedJob } from './job-messages.js';
import { JobsService } from './jobs.service.js';

const queueRequest = z.object({ queue_name: queueSchemas.queueName });
/** On the wire zero and unset are the same: both mean the default. */
const positive = (value: number): number | null => (value > 0 ? value : null);

/** Calls of producers over gRPC. */
@Injectable()
export class JobsGrpcHandler {
  constructor(
    private readonly jobs: JobsService,
    private readonly queues: QueuesService,
    private readonly unsent: UnsentBytes,
  ) {}

  /** @throws SpooledError 400, 403 scope, 413, 429 quota */
  async enqueue({ principal, checks }: Caller, request: EnqueueRequest): Promise<EnqueueResponse> {
    const body = validatedMessage(jobSchemas.createJobBody, {
      queue_name: request.queue_name,
      payload: request.payload ? validDocument(request.payload, 'payload') : {},
      priority: request.priority,
      max_retries: positive(request.max_retries),
      timeout_seconds: positive(request.timeout_seconds),
      scheduled_at: fromTimestamp(request.scheduled_at, 'scheduled_at'),
      idempotency_key: request.idempotency_key,
      tags: Object.keys(request.tags).length > 0 ? request.tags : null,
    });
    const { jobId, created } = await this.jobs.create(principal, checks, body);
    return { job_id: jobId, created };
  }

  /** All jobs or none. @throws SpooledError as `enqueue` */
  async enqueueMany({ principal, checks }: Caller, request: EnqueueManyRequest): Promise<EnqueueManyResponse> {
    requireBatchSize(request.jobs.length);
    const reader = new DocumentReader();
    const jobs: Awaited<ReturnType<typeof newJob>>[] = [];
    for (const [i, job] of request.jobs.entries()) jobs.push(await newJob(reader, job, `jobs[${i}]`));
    await reader.pause();
    const body = validatedMessage(jobSchemas.bulkJobsBody, { queue_name: request.queue_name, jobs });
    await reader.pause();
    const created = await this.jobs.createMany(principal, checks, body);
    return { jobs: created.map(({ jobId, created }) => ({ job_id: jobId, created })) };
  }

  /** Answers OK without a job for an unknown id, as published clients expect, not NOT_FOUND. @throws SpooledError 503 when responses wait to be read */
  async getJob({ principal }: Caller, { job_id: id }: GetJobRequest): Promise<GetJobResponse> {
    if (!isUuid(id)) return {};
    try {
      const job = storedJob(await this.jobs.get(principal, id));
      requireUnsentCapacity(this.unsent, ownerOfPrincipal(principal), bytesOfJobs([job]));
      return { job };
    } catch (error) {
      if (error instanceof SpooledError && error.code === 'NOT_FOUND') return {};
      throw error;
    }
  }

  /** @throws SpooledError 400, 403 scope */
  async getQueueStats({ principal }: Caller, request: GetQueueStatsRequest): Promise<GetQueueStatsResponse> {
    const { queue_name } = validatedMessage(queueRequest, request);
    const { counts, oldestPendingMs } = await this.queues.count(principal, queue_name);
    const { cancelled, ...shown } = counts;
    const total = Object.values(shown).reduce((sum, count) => sum + count, cancelled);
    return { queue_name, ...shown, total, max_age_ms: oldestPendingMs };
  }
}

/** A job as the body of bulk creation has it. @throws SpooledError 400 */
async function newJob(reader: DocumentReader, job: NewBatchJob, path: string) {
  const { scheduled_at, expires_at, payload, tags, ...fields } = job;
  return {
    ...fields,
    payload: await reader.read(payload, `${path}.payload`),
    tags: await reader.readOptional(tags, `${path}.tags`),
    scheduled_at: fromTimestamp(scheduled_at, `${path}.scheduled_at`),
    expires_at: fromTimestamp(expires_at, `${path}.expires_at`),
  };
}

/** Before the documents are read. @throws SpooledError 400 */
function requireBatchSize(jobs: number): void {
  if (jobs < 1 || jobs > jobSchemas.maxBulkJobs)
    throw invalidField('jobs', `must hold 1 to ${jobSchemas.maxBulkJobs} jobs`);
}
