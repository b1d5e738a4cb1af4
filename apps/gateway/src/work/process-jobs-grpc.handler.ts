import type { ServerDuplexStream } from '@grpc/grpc-js';
import { Injectable } from '@nestjs/common';
import type {
  CompleteRequest,
  DequeueRequest,
  Job,
  ProcessRequest,
  ProcessResponse as Response,
} from '@spooled/contracts/grpc';
import { SpooledError } from '@spooled/domain';
import { withLogContext, withSpan } from '@spooled/platform';
import { Admission } from '../grpc/admission.js';
import { GrpcAccessLog } from '../grpc/grpc-access-log.js';
import { ConnectionLeases } from './connection-leases.js';
import { toErrorResponse } from '../grpc/grpc-status.js';
import type { StreamSession } from '../grpc/open-streams.js';
import { type ReservedBytes, toSpooledError } from '@spooled/service';
import { OrderedReplies } from './ordered-replies.js';
import { claimedJob } from '../jobs/job-messages.js';
import { StreamRequests } from './stream-requests.js';
import { readClaim, WorkGrpcHandler } from './work-grpc.handler.js';
import { documentBytes } from '../grpc/documents.js';

type Request = ProcessRequest | SpooledError;

/** The stream over which a worker requests and completes jobs (SP-46). */
@Injectable()
export class ProcessJobsGrpcHandler {
  constructor(
    readonly work: WorkGrpcHandler,
    readonly admission: Admission,
    readonly leases: ConnectionLeases,
    readonly accessLog: GrpcAccessLog,
    readonly requests: StreamRequests,
  ) {}

  /** Returns when the client has half-closed and has its responses, or the stream must end. */
  serve(call: ServerDuplexStream<Request, Response>, session: StreamSession): Promise<void> {
    return new ProcessStream(call, session, this).run();
  }
}

/** A completion that waits for the end of the turn of the event loop. */
interface PendingCompletion {
  request: CompleteRequest;
  reply: (response: Response) => void;
}

type Reply = ReturnType<OrderedReplies['reserve']>;

const ending = new SpooledError('SERVICE_UNAVAILABLE', 'The stream ends', { retryAfterSeconds: 1 });

/** Maximum completions of one command. */
const maxBatchSize = 100;

/**
 * Sends one response per request, in the order of the requests. Requests run concurrently, so that they share transactions; only
 * requests about the same job run in sequence. Completions of one turn of the event loop are one command: separately, their promises
 * cost more than the messages.
 */
class ProcessStream {
  private readonly replies: OrderedReplies;
  private readonly replyBytes: ReplyBytes;
  /** The last unfinished request about each job. */
  private readonly lastByJob = new Map<string, Promise<void>>();
  private pending: PendingCompletion[] = [];
  private flushing: Promise<void> = Promise.resolve();

  constructor(
    private readonly call: ServerDuplexStream<Request, Response>,
    private readonly session: StreamSession,
    private readonly dependencies: ProcessJobsGrpcHandler,
  ) {
    this.replies = new OrderedReplies(call, session, dependencies.leases, dependencies.requests);
    this.replyBytes = new ReplyBytes(session);
  }

  /** Returns when the client has half-closed and has received its responses, or the stream must end. */
  run(): Promise<void> {
    this.call.on('data', (request: Request) => this.receive(request));
    return this.replies.finished();
  }

  private receive(request: Request): void {
    const reply = this.replies.reserve();
    const jobId = request instanceof SpooledError ? undefined : jobIdIn(request);
    if (!(request instanceof SpooledError) && request.dequeue) return this.receiveDequeue(request.dequeue, reply);
    if (jobId === undefined) return void this.process(request, reply);
    const previous = this.lastByJob.get(jobId);
    const completion = request instanceof SpooledError ? undefined : request.complete;
    let current: Promise<void>;
    if (previous) current = previous.then(() => this.process(request, reply));
    else current = completion ? this.addToBatch(completion, reply) : this.process(request, reply);
    this.lastByJob.set(jobId, current);
    void current.then(() => {
      if (this.lastByJob.get(jobId) === current) this.lastByJob.delete(jobId);
    });
  }

  /** Reserves bytes in the order of the requests: the first reply must not wait for bytes that later ones hold. */
  private receiveDequeue(request: DequeueRequest, reply: Reply): void {
    void this.replyBytes.reserve().then(async (reserved) => {
      if (!reserved) return reply({ error: toErrorResponse(ending) });
      const response = await this.answer(() => this.execute({ dequeue: request }));
      reserved.hold(response.job ? this.replyBytes.of(response.job) : 0);
      reply(response, reserved);
    });
  }

  /** Never rejects. */
  private async process(request: Request, reply: Reply): Promise<void> {
    reply(await this.answer(() => this.execute(request)));
  }

  private async answer(execute: () => Promise<Response>): Promise<Response> {
    const started = performance.now();
    let error: SpooledError | null = null;
    const run = () => withSpan('process jobs', { kind: 'server', parent: null }, execute);
    const response = await withLogContext({}, run).catch((thrown: unknown): Response => {
      error = toSpooledError(thrown);
      return { error: toErrorResponse(error) };
    });
    this.dependencies.accessLog.count(error, (performance.now() - started) / 1000);
    return response;
  }

  /** Never rejects. */
  private addToBatch(request: CompleteRequest, reply: PendingCompletion['reply']): Promise<void> {
    if (this.pending.length === 0) {
      this.flushing = new Promise((resolve) => setImmediate(() => void this.flush().then(resolve)));
    }
    this.pending.push({ request, reply });
    return this.flushing;
  }

  private async flush(): Promise<void> {
    const pending = this.pending.splice(0);
    const batches: Promise<void>[] = [];
    while (pending.length > 0) batches.push(this.completeBatch(pending.splice(0, maxBatchSize)));
    await Promise.all(batches);
  }

  private async completeBatch(batch: PendingCompletion[]): Promise<void> {
    const started = performance.now();
    const run = () =>
      withSpan('process jobs', { kind: 'server', parent: null }, () =>
        this.completeAll(batch.map(({ request }) => request)),
      );
    const errors = await withLogContext({}, run).catch((thrown: unknown) => {
      const error = toSpooledError(thrown);
      return batch.map(() => error);
    });
    const seconds = (performance.now() - started) / 1000;
    batch.forEach(({ reply }, i) => {
      const error = errors[i]!;
      this.dependencies.accessLog.count(error, seconds);
      reply(error ? { error: toErrorResponse(error) } : { complete: { success: true } });
    });
  }

  /** Item i is the error of request i, or null. */
  private async completeAll(requests: CompleteRequest[]): Promise<(SpooledError | null)[]> {
    const { work, admission } = this.dependencies;
    const principal = await this.session.identify();
    const { granted, refusal } = await admission.countMany(principal, requests.length);
    const holder = { principal, connection: this.session.connection };
    const errors = granted === 0 ? [] : await work.completeMany(holder, requests.slice(0, granted));
    return [...errors, ...requests.slice(granted).map(() => refusal)];
  }

  private async execute(request: Request): Promise<Response> {
    const { work, admission } = this.dependencies;
    const principal = await this.session.identify();
    await admission.countOf(principal);
    if (request instanceof SpooledError) throw request;
    const holder = { principal, connection: this.session.connection };
    if (request.dequeue) return this.dequeue(principal, request.dequeue);
    if (request.complete) return { complete: await work.complete(holder, request.complete) };
    if (request.fail) return { fail: await work.fail(holder, request.fail) };
    if (request.renew_lease) return { renew_lease: await work.renewLease(holder, request.renew_lease) };
    return { error: { code: 'INVALID_REQUEST', message: 'Request has no operation set' } };
  }

  private async dequeue(
    principal: Awaited<ReturnType<StreamSession['identify']>>,
    request: DequeueRequest,
  ): Promise<Response> {
    const claim = readClaim(request);
    const [job] = (await this.dependencies.work.claim(principal, { ...claim, limit: 1 })).jobs;
    if (!job) return { error: { code: 'NO_JOBS', message: 'No jobs available' } };
    return { job: claimedJob(job, principal.organizationId, claim.worker_id) };
  }
}

const jobIdIn = ({ complete, fail, renew_lease }: ProcessRequest): string | undefined =>
  (complete ?? fail ?? renew_lease)?.job_id;

/** Everything in a job but its payload. */
const jobBytes = 1024;

/**
 * The bytes that a stream's dequeues may answer with. Until its first job each counts as the largest payload; while its jobs are small,
 * as half of that, so that twice as many are in flight and a share is exceeded at most twice.
 */
class ReplyBytes {
  private expected: number;

  constructor(private readonly session: Pick<StreamSession, 'unsent' | 'ending' | 'maxPayloadBytes'>) {
    this.expected = session.maxPayloadBytes;
  }

  /** Null when the stream ends before. */
  reserve(): Promise<ReservedBytes | null> {
    const { unsent, ending, maxPayloadBytes } = this.session;
    return unsent.reserve(Math.max(this.expected, Math.ceil(maxPayloadBytes / 2)) + jobBytes, ending);
  }

  of({ payload }: Job): number {
    const bytes = documentBytes(payload) + jobBytes;
    this.expected = Math.min(this.session.maxPayloadBytes, Math.max(bytes, Math.floor(this.expected / 2)));
    return bytes;
  }
}
