import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { Job, ProcessRequest, ProcessResponse as Response } from '@spooled/contracts/grpc';
import type { SpooledError } from '@spooled/domain';
import type { ConnectionLeases } from './connection-leases.js';
import type { StreamSession } from '../grpc/open-streams.js';
import type { Lease } from './lease-releaser.js';

type Call = ServerDuplexStream<ProcessRequest | SpooledError, Response>;

/** Requests in flight whose responses the client has not accepted; at this number reading pauses. */
const maxInFlight = 256;
/** Responses written before the client has accepted the first of them. */
const maxUnsent = 64;

/** The responses of a ProcessJobs stream: given in any order, sent in that of the requests, no faster than the client accepts them. */
export class OrderedReplies {
  private readonly slots: { response: Response | null }[] = [];
  /** Written, but not accepted by the client's flow control yet; in order. */
  private readonly unsent: Response[] = [];
  private unanswered = 0;
  private isComplete = false;
  /** Nothing more is sent: the client has disconnected, or got UNAUTHENTICATED. */
  private isOver = false;
  private notice: () => void = () => undefined;

  constructor(
    private readonly call: Call,
    private readonly session: Pick<StreamSession, 'organizationId' | 'connection' | 'ending' | 'gone'>,
    private readonly leases: Pick<ConnectionLeases, 'hold' | 'release'>,
  ) {
    call.once('end', () => {
      this.isComplete = true;
      this.notice();
    });
    session.ending.addEventListener('abort', () => {
      call.pause();
      this.notice();
    });
    session.gone.addEventListener('abort', () => {
      this.isOver = true;
      this.notice();
    });
  }

  /** Reserves the place of the next response. The returned function must be called once. */
  expect(): (response: Response) => void {
    const slot: { response: Response | null } = { response: null };
    this.slots.push(slot);
    this.unanswered++;
    if (this.slots.length >= maxInFlight) this.call.pause();
    return (response) => {
      slot.response = response;
      this.unanswered--;
      this.drain();
    };
  }

  /** Resolves when every request that was received has its response, also when the stream must end. */
  async untilEnd(): Promise<void> {
    while (!this.isOver && !this.isDone()) await this.nextChange();
    while (this.unsent.length > 0 && !this.session.gone.aborted) await this.nextChange();
    // Claims may still be in flight for responses that can no longer be sent.
    while (this.unanswered > 0) await this.nextChange();
    const undelivered = [...this.unsent, ...this.slots.map(({ response }) => response)];
    this.leases.release(undelivered.flatMap((response) => (response?.job ? [this.leaseIn(response.job)] : [])));
  }

  private isDone(): boolean {
    const { isComplete, session, slots, unsent } = this;
    return (isComplete || session.ending.aborted) && slots.length === 0 && unsent.length === 0;
  }

  private nextChange(): Promise<void> {
    return new Promise((resolve) => (this.notice = resolve));
  }

  private drain(): void {
    const { slots, unsent } = this;
    while (!this.isOver && unsent.length < maxUnsent && slots[0]?.response) this.write(slots.shift()!.response!);
    if (slots.length < maxInFlight / 2 && this.call.isPaused() && !this.session.ending.aborted) this.call.resume();
    this.notice();
  }

  private write(response: Response): void {
    this.unsent.push(response);
    this.call.write(response, () => {
      if (this.session.gone.aborted) return;
      this.unsent.shift();
      if (response.job) this.leases.hold(this.session.connection, this.leaseIn(response.job));
      this.drain();
    });
    if (response.error?.code === 'UNAUTHENTICATED') this.isOver = true;
  }

  private leaseIn({ id: jobId, lease_id: leaseId }: Job): Lease {
    return { organizationId: this.session.organizationId, jobId, leaseId };
  }
}
