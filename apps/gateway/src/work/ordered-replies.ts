import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { Job, ProcessRequest, ProcessResponse as Response } from '@spooled/contracts/grpc';
import type { SpooledError } from '@spooled/domain';
import type { ReservedBytes } from '@spooled/service';
import type { ConnectionLeases } from './connection-leases.js';
import type { StreamSession } from '../grpc/open-streams.js';
import type { Lease } from './lease-releaser.js';
import type { StreamRequests } from './stream-requests.js';

type Call = ServerDuplexStream<ProcessRequest | SpooledError, Response>;

/** Maximum requests whose responses have not been written; beyond it the stream is not read. */
const maxInFlight = 256;
/** Maximum responses that are written before flow control has accepted the first of them. */
const maxUnsent = 64;

interface Slot {
  response: Response | null;
  /** Counted until flow control has accepted the response. */
  bytes?: ReservedBytes | null;
}

/** The responses of a ProcessJobs stream: produced in any order, sent in the order of the requests, limited by flow control. */
export class OrderedReplies {
  private readonly slots: Slot[] = [];
  /** Written in order, not yet accepted by flow control. */
  private readonly unsent: Response[] = [];
  private unfinished = 0;
  private inputEnded = false;
  /** Nothing more is sent, because the client has disconnected or its key was rejected. */
  private isClosed = false;
  /** Whether the stream waits until its organization may have further requests in flight. */
  private waitsForRoom = false;
  private notify: () => void = () => undefined;

  constructor(
    private readonly call: Call,
    private readonly session: Pick<
      StreamSession,
      'organizationId' | 'share' | 'connection' | 'ending' | 'disconnected'
    >,
    private readonly leases: Pick<ConnectionLeases, 'hold' | 'release'>,
    private readonly requests: StreamRequests,
  ) {
    call.once('end', () => {
      this.inputEnded = true;
      this.notify();
    });
    session.ending.addEventListener('abort', () => {
      call.pause();
      this.notify();
    });
    session.disconnected.addEventListener('abort', () => {
      this.isClosed = true;
      this.notify();
    });
  }

  /** Reserves the position of the next response. @returns sends it; call exactly once */
  reserve(): (response: Response, bytes?: ReservedBytes | null) => void {
    const slot: Slot = { response: null };
    this.slots.push(slot);
    this.unfinished++;
    this.requests.begin(this.session.share);
    if (this.slots.length >= maxInFlight || !this.requests.hasCapacity(this.session.share)) this.call.pause();
    return (response, bytes) => {
      slot.response = response;
      slot.bytes = bytes;
      this.unfinished--;
      this.requests.end(this.session.share);
      this.drain();
    };
  }

  /** Resolves when all received requests have their responses or the client has disconnected. Then releases unsent jobs. */
  async finished(): Promise<void> {
    while (!this.isClosed && !this.allSent()) await this.nextChange();
    while (this.unsent.length > 0 && !this.session.disconnected.aborted) await this.nextChange();
    // Claims in flight, whose jobs must be released.
    while (this.unfinished > 0) await this.nextChange();
    const lost = [...this.unsent, ...this.slots.map(({ response }) => response)];
    this.leases.release(lost.flatMap((response) => (response?.job ? [this.leaseOf(response.job)] : [])));
  }

  private allSent(): boolean {
    const { inputEnded, session, slots, unsent } = this;
    return (inputEnded || session.ending.aborted) && slots.length === 0 && unsent.length === 0;
  }

  private nextChange(): Promise<void> {
    return new Promise((resolve) => (this.notify = resolve));
  }

  private drain(): void {
    const { slots, unsent } = this;
    while (!this.isClosed && unsent.length < maxUnsent && slots[0]?.response) this.write(slots.shift()!);
    if (slots.length < maxInFlight / 2 && this.call.isPaused()) this.resume();
    this.notify();
  }

  /** Reads on, once the organization may have further requests in flight. */
  private resume(): void {
    if (this.waitsForRoom || this.session.ending.aborted) return;
    if (this.requests.hasCapacity(this.session.share)) return void this.call.resume();
    this.waitsForRoom = true;
    this.requests.onceAvailable(this.session.share, () => {
      this.waitsForRoom = false;
      this.drain();
    });
  }

  private write({ response: written, bytes }: Slot): void {
    const response = written!;
    this.unsent.push(response);
    this.call.write(response, () => {
      bytes?.release();
      if (this.session.disconnected.aborted) return;
      this.unsent.shift();
      if (response.job) this.leases.hold(this.session.connection, this.leaseOf(response.job));
      this.drain();
    });
    if (response.error?.code === 'UNAUTHENTICATED') this.isClosed = true;
  }

  private leaseOf({ id: jobId, lease_id: leaseId }: Job): Lease {
    return { organizationId: this.session.organizationId, jobId, leaseId };
  }
}
