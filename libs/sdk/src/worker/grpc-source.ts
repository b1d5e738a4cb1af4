import type { ClientReadableStream, ServiceError } from '@grpc/grpc-js';
import type {
  BatchJob,
  Job,
  JobBatch,
  ProcessRequest,
  ProcessResponse,
  RegisterWorkerRequest,
  Settlement,
} from '@spooled/contracts/grpc';
import { GrpcClient } from '../grpc/grpc-client.js';
import { errorOfCall, errorOfCode } from '../grpc/grpc-errors.js';
import { ProcessStream } from '../grpc/process-stream.js';
import { isAlreadyCompleted, LeaseExpiredError } from '../http/errors.js';
import { parseJson, writeJson } from '../http/json.js';
import type { Spooled } from '../spooled.js';
import {
  type Failure,
  type HeldLease,
  type LeasedJob,
  type Push,
  type Registration,
  type Renewal,
  serverTimings,
  type ServerTimings,
  type WorkSource,
} from './work-source.js';
import { ServerSource } from './server-source.js';
import { Settlements } from './settlements.js';

/**
 * The gRPC API. Where the server has BatchService, jobs of all queues are pushed over one stream and settled in batches, and payloads
 * and results are any JSON. Older servers push the jobs of a single queue over StreamJobs; of several queues each free slot requests
 * one job over ProcessJobs, on which all jobs are settled. There payloads and results are objects; other results are sent as
 * `{ value }`. Leases end with the connection, so the jobs of a killed worker are released at once.
 */
export class GrpcSource extends ServerSource implements WorkSource {
  onCancelRequest: ((lease: HeldLease) => void) | undefined;
  readonly maxWaitSeconds = 0;
  private readonly grpc: GrpcClient;
  private stream: ProcessStream | null = null;
  /** Null: the server has no BatchService. */
  private settlements: Settlements | null = null;

  /** @throws TypeError without an API key */
  constructor(client: Spooled) {
    super(client);
    this.grpc = new GrpcClient(client.options);
  }

  async open(registration: Registration): Promise<ServerTimings> {
    const worker = await this.grpc.register(registerRequest(registration));
    const { worker_id } = worker;
    this.workerId = worker_id;
    if (await this.grpc.hasBatches(worker_id)) {
      this.settlements = new Settlements((settlements) => this.grpc.settleMany({ worker_id, settlements }));
    }
    return serverTimings(worker.lease_duration_secs, worker.heartbeat_interval_secs);
  }

  /** Sends one request first, so that an empty queue costs one request instead of one per free slot. */
  async claim(queueName: string, limit: number, leaseSeconds: number): Promise<LeasedJob[]> {
    const first = await this.dequeue(queueName, leaseSeconds);
    if (!first) return [];
    const more = Array.from({ length: limit - 1 }, () => this.dequeue(queueName, leaseSeconds));
    // Jobs that arrived are leased, even if the stream broke afterwards.
    const results = await Promise.allSettled(more);
    return [first, ...results.flatMap((each) => (each.status === 'fulfilled' && each.value ? [each.value] : []))];
  }

  get maxPushedQueues(): number {
    return this.settlements ? maxPushedQueues : 1;
  }

  push(queueNames: string[], { prefetch: wanted, leaseSeconds, signal, onJob }: Push): Promise<void> {
    const prefetch = Math.min(wanted, maxPrefetch);
    const leased = { worker_id: this.workerId, lease_duration_secs: leaseSeconds, prefetch };
    if (!this.settlements) {
      const call = this.grpc.streamJobs({ ...leased, queue_name: queueNames[0]! });
      return pushed(call, signal, (job: Job) => onJob(leasedJob(job)));
    }
    const call = this.grpc.streamBatches({ ...leased, queue_names: queueNames });
    return pushed(call, signal, ({ jobs, cancellations }: JobBatch) => {
      for (const job of jobs) onJob(this.batchJob(job));
      for (const { job_id: id, lease_id: leaseId } of cancellations) this.onCancelRequest?.({ id, leaseId });
    });
  }

  async renew(job: LeasedJob, leaseSeconds: number): Promise<Renewal> {
    const { renew_lease } = await this.send({ renew_lease: { ...this.proof(job), extension_secs: leaseSeconds } });
    if (!renew_lease?.success) throw new LeaseExpiredError('The lease is lost', 409, 'LEASE_EXPIRED');
    return { cancelRequested: renew_lease.cancel_requested };
  }

  async complete(job: LeasedJob, result: unknown): Promise<void> {
    try {
      if (this.settlements) await this.settlements.add({ ...this.lease(job), complete: { result: textOf(result) } });
      else await this.send({ complete: { ...this.proof(job), result: documentOf(result) } });
    } catch (error) {
      if (!isAlreadyCompleted(error)) throw error;
    }
  }

  protected async reportFailure(job: LeasedJob, error: string, retry: boolean): Promise<Failure> {
    if (this.settlements) {
      const { will_retry: willRetry, cancelled } = await this.settlements.add({
        ...this.lease(job),
        fail: { error, retry },
      });
      return { willRetry, cancelled };
    }
    const { fail } = await this.send({ fail: { ...this.proof(job), error, retry } });
    return { willRetry: fail?.will_retry ?? false, cancelled: fail?.cancelled ?? false };
  }

  /** Jobs are released when the connection closes. */
  release(): Promise<void> {
    return Promise.resolve();
  }

  async heartbeat(currentJobs: number, isDraining: boolean): Promise<void> {
    const status = isDraining ? 'draining' : 'healthy';
    await this.grpc.heartbeat({ worker_id: this.workerId, current_jobs: currentJobs, status, metadata: {} });
  }

  async close(): Promise<void> {
    try {
      await this.grpc.deregister({ worker_id: this.workerId });
    } finally {
      this.stream?.close();
      this.grpc.close();
    }
  }

  private async dequeue(queueName: string, leaseSeconds: number): Promise<LeasedJob | undefined> {
    const request = {
      queue_name: queueName,
      worker_id: this.workerId,
      lease_duration_secs: leaseSeconds,
      batch_size: 1,
    };
    const { job } = await this.send({ dequeue: request });
    return job && leasedJob(job);
  }

  private lease = ({ id, leaseId }: LeasedJob): Pick<Settlement, 'job_id' | 'lease_id'> => ({
    job_id: id,
    lease_id: leaseId,
  });

  private batchJob(job: BatchJob): LeasedJob {
    return leased(job, parseJson(job.payload.toString('utf8'), this.client.options.largeIntegers ?? 'bigint'));
  }

  private proof = (job: LeasedJob) => ({ ...this.lease(job), worker_id: this.workerId });

  private async send(request: ProcessRequest): Promise<ProcessResponse> {
    if (!this.stream?.isOpen) this.stream = new ProcessStream(this.grpc.processJobs());
    const response = await this.stream.send(request);
    const { error } = response;
    if (error && error.code !== 'NO_JOBS') throw errorOfCode(error.code, error.message);
    return response;
  }
}

function registerRequest(registration: Registration): RegisterWorkerRequest {
  return {
    queue_name: registration.queueName,
    hostname: registration.hostname,
    worker_type: '',
    worker_id: registration.workerId,
    max_concurrency: registration.maxConcurrency,
    version: registration.version ?? '',
    metadata: {},
  };
}

/** As the server bounds them. */
const maxPrefetch = 1000;
const maxPushedQueues = 20;

/** Passes on the messages of a stream until it ends, or the signal is aborted. @throws SpooledError when it breaks */
function pushed<Message>(
  call: ClientReadableStream<Message>,
  signal: AbortSignal,
  onMessage: (message: Message) => void,
): Promise<void> {
  const cancel = () => call.cancel();
  signal.addEventListener('abort', cancel);
  const ended = new Promise<void>((resolve, reject) => {
    call.on('data', onMessage);
    call.on('end', resolve);
    call.on('error', (error: ServiceError) => (signal.aborted ? resolve() : reject(errorOfCall(error))));
  });
  return ended.finally(() => signal.removeEventListener('abort', cancel));
}

/** The result as JSON text; nothing for none. */
const textOf = (result: unknown): Buffer => Buffer.from(result === undefined ? '' : (writeJson(result) ?? ''));

/** Payloads that are no objects do not arrive over gRPC. */
const leasedJob = (job: Job): LeasedJob => leased(job, job.payload ?? null);

const leased = (job: BatchJob | Job, payload: unknown): LeasedJob => ({
  id: job.id,
  queueName: job.queue_name,
  payload,
  priority: job.priority,
  retryCount: job.retry_count,
  maxRetries: job.max_retries,
  timeoutSeconds: job.timeout_seconds,
  leaseId: job.lease_id,
  createdAt: timeOf(job.created_at),
  idempotencyKey: job.idempotency_key || null,
  // Older servers do not send it.
  traceparent: job.traceparent || null,
});

const timeOf = ({ seconds, nanos } = { seconds: 0, nanos: 0 }): string =>
  new Date(seconds * 1000 + nanos / 1e6).toISOString();

/**
 * The result after a round trip through JSON, as an object. gRPC carries numbers as doubles.
 * @throws TypeError for a BigInt, which would be rounded
 */
function documentOf(result: unknown): Record<string, unknown> | undefined {
  const json: unknown = JSON.parse(JSON.stringify(result ?? null) ?? 'null');
  if (json === null) return undefined;
  return isObject(json) ? json : { value: json };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
