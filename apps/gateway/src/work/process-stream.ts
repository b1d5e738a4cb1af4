import type { ServerDuplexStream } from '@grpc/grpc-js';
import type {
  CompleteRequest,
  DequeueRequest,
  ProcessRequest,
  ProcessResponse as Response,
} from '@spooled/contracts/grpc';
import { SpooledError } from '@spooled/domain';
import { withLogContext, withSpan } from '@spooled/platform';
import type { Admission } from '../grpc/admission.js';
import type { GrpcAccessLog } from '../grpc/grpc-access-log.js';
import type { ConnectionLeases } from './connection-leases.js';
import { toErrorResponse } from '../grpc/grpc-status.js';
import type { StreamSession } from '../grpc/open-streams.js';
import { toSpooledError } from '../http/error-response.js';
import { OrderedReplies } from './ordered-replies.js';
import { claimedJob } from '../jobs/job-messages.js';
import { readClaim, type WorkGrpcHandler } from './work-grpc.handler.js';

type Request = ProcessRequest | SpooledError;

interface Parts {
  work: WorkGrpcHandler;
  admission: Admission;
  leases: ConnectionLeases;
  accessLog: GrpcAccessLog;
}

/** A completion that waits for the others of the same turn of the event loop. */
interface PendingCompletion {
  request: CompleteRequest;
  answer: (response: Response) => void;
}

/** Completions that one command takes. */
const maxBatch = 100;

/**
 * Sends one response for each request, in the order of the requests. Requests run concurrently, so that they share transactions; only
 * those about the same job run one after the other. Completions that arrive in one turn of the event loop become one command: one by
 * one, their promises cost more than the messages.
 */
export class ProcessStream {
  private readonly answers: OrderedReplies;
  /** The last request in flight about each job. */
  private readonly turns = new Map<string, Promise<void>>();
  private pending: PendingCompletion[] = [];
  private flushing: Promise<void> = Promise.resolve();

  constructor(
    private readonly call: ServerDuplexStream<Request, Response>,
    private readonly session: StreamSession,
    private readonly parts: Parts,
  ) {
    this.answers = new OrderedReplies(call, session, parts.leases);
  }

  /** Returns when the client has half-closed and has its responses, or the stream must end. */
  run(): Promise<void> {
    this.call.on('data', (request: Request) => this.receive(request));
    return this.answers.untilEnd();
  }

  private receive(request: Request): void {
    const answer = this.answers.expect();
    const jobId = request instanceof SpooledError ? undefined : jobIdIn(request);
    if (jobId === undefined) return void this.answerOne(request, answer);
    const before = this.turns.get(jobId);
    const completion = request instanceof SpooledError ? undefined : request.complete;
    let turn: Promise<void>;
    if (before) turn = before.then(() => this.answerOne(request, answer));
    else turn = completion ? this.completeBatched(completion, answer) : this.answerOne(request, answer);
    this.turns.set(jobId, turn);
    void turn.then(() => {
      if (this.turns.get(jobId) === turn) this.turns.delete(jobId);
    });
  }

  /** Never rejects. */
  private async answerOne(request: Request, answer: (response: Response) => void): Promise<void> {
    const started = performance.now();
    let error: SpooledError | null = null;
    const run = () => withSpan('process jobs', { kind: 'server', parent: null }, () => this.serve(request));
    const response = await withLogContext({}, run).catch((thrown: unknown): Response => {
      error = toSpooledError(thrown);
      return { error: toErrorResponse(error) };
    });
    this.parts.accessLog.count(error, (performance.now() - started) / 1000);
    answer(response);
  }

  /** Never rejects. */
  private completeBatched(request: CompleteRequest, answer: PendingCompletion['answer']): Promise<void> {
    if (this.pending.length === 0) {
      this.flushing = new Promise((resolve) => setImmediate(() => void this.flush().then(resolve)));
    }
    this.pending.push({ request, answer });
    return this.flushing;
  }

  private async flush(): Promise<void> {
    const members = this.pending.splice(0);
    const batches: Promise<void>[] = [];
    while (members.length > 0) batches.push(this.completeBatch(members.splice(0, maxBatch)));
    await Promise.all(batches);
  }

  private async completeBatch(members: PendingCompletion[]): Promise<void> {
    const started = performance.now();
    const run = () =>
      withSpan('process jobs', { kind: 'server', parent: null }, () =>
        this.refusalsOf(members.map(({ request }) => request)),
      );
    const refusals = await withLogContext({}, run).catch((thrown: unknown) => {
      const error = toSpooledError(thrown);
      return members.map(() => error);
    });
    const seconds = (performance.now() - started) / 1000;
    members.forEach(({ answer }, i) => {
      const error = refusals[i]!;
      this.parts.accessLog.count(error, seconds);
      answer(error ? { error: toErrorResponse(error) } : { complete: { success: true } });
    });
  }

  /** The error of each request, null for a completed job. */
  private async refusalsOf(requests: CompleteRequest[]): Promise<(SpooledError | null)[]> {
    const { work, admission } = this.parts;
    const principal = await this.session.identify();
    const { granted, refusal } = await admission.countMany(principal, requests.length);
    const holder = { principal, connection: this.session.connection };
    const refusals = granted === 0 ? [] : await work.completeMany(holder, requests.slice(0, granted));
    return [...refusals, ...requests.slice(granted).map(() => refusal)];
  }

  private async serve(request: Request): Promise<Response> {
    const { work, admission } = this.parts;
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
    const [job] = (await this.parts.work.claim(principal, { ...claim, limit: 1 })).jobs;
    if (!job) return { error: { code: 'NO_JOBS', message: 'No jobs available' } };
    return { job: claimedJob(job, principal.organizationId, claim.worker_id) };
  }
}

const jobIdIn = ({ complete, fail, renew_lease }: ProcessRequest): string | undefined =>
  (complete ?? fail ?? renew_lease)?.job_id;
