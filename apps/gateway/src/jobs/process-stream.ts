import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { grpcMessages } from '@spooled/contracts';
import { SpooledError } from '@spooled/domain';
import { withLogContext, withSpan } from '@spooled/platform';
import type { Admission } from '../grpc/admission.js';
import type { CallTrail } from '../grpc/call-trail.js';
import type { ConnectionLeases } from '../grpc/connection-leases.js';
import { toErrorResponse } from '../grpc/grpc-status.js';
import type { StreamSession } from '../grpc/open-streams.js';
import { toSpooledError } from '../http/error-answer.js';
import { claimedJob } from './job-messages.js';
import type { Lease } from './lease-returns.js';
import { readClaim, type WorkGrpc } from './work.grpc.js';

type Request = grpcMessages.ProcessRequest;
type Response = grpcMessages.ProcessResponse;

interface Parts {
  work: WorkGrpc;
  admission: Admission;
  leases: ConnectionLeases;
  trail: CallTrail;
}

/** Requests that are worked on before the client has taken their answers. */
const maxInFlight = 256;
/** Answers that are written before the client has taken the first of them. */
const maxUnsent = 64;

/**
 * One response for each request, in the order of the requests. They run together, so that they share transactions; only those
 * about one job run one after the other.
 */
export class ProcessStream {
  private readonly answers: Promise<Response>[] = [];
  private readonly turns = new Map<string, Promise<Response>>();
  private isComplete = false;
  /** Written, and not yet taken by the client's flow control; in order. */
  private readonly unsent: Response[] = [];
  private notice: () => void = () => undefined;
  private noticeSent: () => void = () => undefined;

  constructor(
    private readonly call: ServerDuplexStream<Request, Response>,
    private readonly session: StreamSession,
    private readonly parts: Parts,
  ) {}

  async run(): Promise<void> {
    const { call, session } = this;
    call.on('data', (request: Request | SpooledError) => this.receive(request));
    call.once('end', () => {
      this.isComplete = true;
      this.notice();
    });
    session.ending.addEventListener('abort', () => {
      call.pause();
      this.notice();
    });
    session.gone.addEventListener('abort', () => this.noticeSent());
    while (await this.hasAnother()) {
      const answer = await this.answers.shift()!;
      if (this.answers.length < maxInFlight / 2 && !session.ending.aborted) call.resume();
      this.send(answer);
      await this.untilUnsent(maxUnsent - 1);
      if (session.gone.aborted || answer.error?.code === 'UNAUTHENTICATED') break;
    }
    await this.untilUnsent(0);
    await this.giveBackUnsent();
  }

  private send(answer: Response): void {
    const { call, session, parts } = this;
    this.unsent.push(answer);
    if (session.gone.aborted) return;
    call.write(answer, () => {
      if (session.gone.aborted) return;
      this.unsent.shift();
      if (answer.job) parts.leases.hold(session.connection, this.leaseIn(answer.job));
      this.noticeSent();
    });
  }

  /** Waits until at most so many answers are unsent, or none can be sent any more. */
  private async untilUnsent(atMost: number): Promise<void> {
    while (this.unsent.length > atMost && !this.session.gone.aborted) {
      await new Promise<void>((resolve) => (this.noticeSent = resolve));
    }
  }

  private receive(request: Request | SpooledError): void {
    this.answers.push(this.inTurn(request));
    if (this.answers.length >= maxInFlight) this.call.pause();
    this.notice();
  }

  /** Waits for a request; false when there will be none. What was received is answered also when the stream must end. */
  private async hasAnother(): Promise<boolean> {
    while (this.answers.length === 0) {
      if (this.isComplete || this.session.ending.aborted) return false;
      await new Promise<void>((resolve) => (this.notice = resolve));
    }
    return true;
  }

  /** A request about a job waits for the one before it about the same job. */
  private inTurn(request: Request | SpooledError): Promise<Response> {
    const jobId = request instanceof SpooledError ? undefined : jobIdIn(request);
    if (jobId === undefined) return this.answer(request);
    const before = this.turns.get(jobId);
    const answer = before ? before.then(() => this.answer(request)) : this.answer(request);
    this.turns.set(jobId, answer);
    void answer.then(() => {
      if (this.turns.get(jobId) === answer) this.turns.delete(jobId);
    });
    return answer;
  }

  /** Never rejects. */
  private async answer(request: Request | SpooledError): Promise<Response> {
    const started = performance.now();
    let error: SpooledError | null = null;
    const run = () => withSpan('process jobs', { kind: 'server', parent: null }, () => this.serve(request));
    const response = await withLogContext({}, run).catch((thrown: unknown): Response => {
      error = toSpooledError(thrown);
      return { error: toErrorResponse(error) };
    });
    this.parts.trail.count(error, (performance.now() - started) / 1000);
    return response;
  }

  private async serve(request: Request | SpooledError): Promise<Response> {
    const { work, admission } = this.parts;
    const principal = await this.session.identify();
    await admission.countOf(principal);
    if (request instanceof SpooledError) throw request;
    const holder = { principal, connection: this.session.connection };
    if (request.dequeue) return this.dequeue(principal, request.dequeue);
    if (request.complete) return { complete: await work.complete(holder, request.complete) };
    if (request.fail) return { fail: await work.fail(holder, request.fail) };
    if (request.renew_lease) return { renew_lease: await work.renewLease(holder, request.renew_lease) };
    return { error: { code: 'INVALID_REQUEST', message: 'The request names nothing to do' } };
  }

  private async dequeue(
    principal: Awaited<ReturnType<StreamSession['identify']>>,
    request: grpcMessages.DequeueRequest,
  ): Promise<Response> {
    const claim = readClaim(request);
    const [job] = (await this.parts.work.claim(principal, { ...claim, limit: 1 })).jobs;
    if (!job) return { error: { code: 'NO_JOBS', message: 'No jobs available' } };
    return { job: claimedJob(job, principal.organizationId, claim.worker_id) };
  }

  /** Jobs that were claimed for answers which nobody gets any more. */
  private async giveBackUnsent(): Promise<void> {
    const answers = [...this.unsent, ...(await Promise.all(this.answers.splice(0)))];
    this.parts.leases.giveBack(answers.flatMap(({ job }) => (job ? [this.leaseIn(job)] : [])));
  }

  private leaseIn({ id: jobId, lease_id: leaseId }: grpcMessages.Job): Lease {
    return { organizationId: this.session.organizationId, jobId, leaseId };
  }
}

const jobIdIn = ({ complete, fail, renew_lease }: Request): string | undefined =>
  (complete ?? fail ?? renew_lease)?.job_id;
