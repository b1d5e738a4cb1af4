import type { ShareOwner } from '@spooled/domain';

/** What waits for a client: a kind of stream, or the response of a request. */
export const unsentKinds = [
  'rest',
  'unary',
  'stream_jobs',
  'stream_batches',
  'process_jobs',
  'websocket',
  'events',
  'watch',
  'forwarded',
] as const;
export type UnsentKind = (typeof unsentKinds)[number];

/** Bytes that are counted until `release`. */
export interface ReservedBytes {
  /** Counts what is held instead of what may be. */
  hold(bytes: number): void;
  release(): void;
}

/** The bytes of all clients, which readers count in. */
export interface UnsentTotals {
  /** On the monotonic clock. */
  readonly now: number;
  hasCapacity(owner: ShareOwner, bytes: number): boolean;
  fits(owner: ShareOwner, bytes: number): boolean;
  turn(reader: UnsentReader, bytes: number, unless: AbortSignal): Promise<boolean>;
  count(reader: UnsentReader, bytes: number): void;
  enforceShare(owner: ShareOwner): void;
  forget(reader: UnsentReader): void;
}

/** One client, and the bytes that wait for it. */
export class UnsentReader {
  /** Counted by `UnsentBytes`. */
  bytes = 0;
  /** When the client last accepted any, on the monotonic clock. */
  acceptedAt: number;
  /** Whether it has been told to end; its bytes count until it is closed. */
  isEnded = false;
  private isClosed = false;

  constructor(
    private readonly all: UnsentTotals,
    readonly kind: UnsentKind,
    readonly owner: ShareOwner,
    private readonly end?: () => void,
  ) {
    this.acceptedAt = all.now;
  }

  /** Whether `reserve` resolves at once. */
  hasCapacity(bytes: number): boolean {
    return this.all.hasCapacity(this.owner, bytes);
  }

  /** Resolves when the client may have so many bytes more; null when aborted before. */
  async reserve(bytes: number, unless: AbortSignal): Promise<ReservedBytes | null> {
    if (unless.aborted) return null;
    if (this.hasCapacity(bytes)) return this.take(bytes);
    return (await this.all.turn(this, bytes, unless)) ? this.counted(bytes) : null;
  }

  /** Null when the organization has its share. */
  tryTake(bytes: number): ReservedBytes | null {
    return this.all.fits(this.owner, bytes) ? this.take(bytes) : null;
  }

  /** Counts bytes that exist already. */
  take(bytes: number): ReservedBytes {
    if (!this.isClosed) this.all.count(this, bytes);
    return this.counted(bytes);
  }

  /** Replaces the bytes that wait. If the organization has more than its share then, its clients with the most end. */
  set(bytes: number): void {
    if (this.isClosed || bytes === this.bytes) return;
    const isMore = bytes > this.bytes;
    this.all.count(this, bytes - this.bytes);
    if (isMore) this.all.enforceShare(this.owner);
  }

  /** Ends the client. @returns false if it cannot, or has been told already */
  disconnect(): boolean {
    if (this.isEnded || !this.end) return false;
    this.isEnded = true;
    this.end();
    return true;
  }

  /** Nothing waits for the client any more. Later calls do nothing. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.all.forget(this);
  }

  private counted(bytes: number): ReservedBytes {
    let held = bytes;
    const hold = (now: number) => {
      if (!this.isClosed && now !== held) this.all.count(this, now - held);
      held = now;
    };
    return { hold, release: () => hold(0) };
  }
}
