import { Injectable } from '@nestjs/common';
import { jobSchemas, queueSchemas, type grpcMessages } from '@spooled/contracts';
import { isUuid, SpooledError } from '@spooled/domain';
import { z } from 'zod';
import { validatedMessage } from '../grpc/validated-message.js';
import { fromStruct } from '../grpc/struct.js';
import { fromTimestamp } from '../grpc/timestamp.js';
import type { Caller } from '../grpc/unary-calls.js';
import { QueuesService } from '../queues/queues.service.js';
import { storedJob } from './job-messages.js';
import { JobsService } from './jobs.service.js';

const queueRequest = z.object({ queue_name: queueSchemas.queueName });
/** Zero and unset are the same on the wire, so both mean the default. */
const positive = (value: number): number | null => (value > 0 ? value : null);

/** What producers ask about jobs over gRPC. */
@Injectable()
export class JobsGrpcHandler {
  constructor(
    private readonly jobs: JobsService,
    private readonly queues: QueuesService,
  ) {}

  /** @throws SpooledError 400, 403 scope, 413, 429 quota */
  async enqueue({ principal }: Caller, request: grpcMessages.EnqueueRequest): Promise<grpcMessages.EnqueueResponse> {
    const body = validatedMessage(jobSchemas.createJobBody, {
      queue_name: request.queue_name,
      payload: request.payload ? fromStruct(request.payload, 'payload') : {},
      priority: request.priority,
      max_retries: positive(request.max_retries),
      timeout_seconds: positive(request.timeout_seconds),
      scheduled_at: fromTimestamp(request.scheduled_at, 'scheduled_at'),
      idempotency_key: request.idempotency_key,
      tags: Object.keys(request.tags).length > 0 ? request.tags : null,
    });
    const { jobId, created } = await this.jobs.create(principal, body);
    return { job_id: jobId, created };
  }

  /** An unknown id is answered OK without a job, as published clients expect, not with NOT_FOUND. */
  async getJob(
    { principal }: Caller,
    { job_id: id }: grpcMessages.GetJobRequest,
  ): Promise<grpcMessages.GetJobResponse> {
    if (!isUuid(id)) return { job: null };
    try {
      return { job: storedJob(await this.jobs.get(principal, id)) };
    } catch (error) {
      if (error instanceof SpooledError && error.code === 'NOT_FOUND') return { job: null };
      throw error;
    }
  }

  /** @throws SpooledError 400, 403 scope */
  async getQueueStats(
    { principal }: Caller,
    request: grpcMessages.GetQueueStatsRequest,
  ): Promise<grpcMessages.GetQueueStatsResponse> {
    const { queue_name } = validatedMessage(queueRequest, request);
    const { counts, oldestPendingMs } = await this.queues.count(principal, queue_name);
    const { cancelled, ...shown } = counts;
    const total = Object.values(shown).reduce((sum, count) => sum + count, cancelled);
    return { queue_name, ...shown, total, max_age_ms: oldestPendingMs };
  }
}
