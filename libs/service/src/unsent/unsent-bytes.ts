import { type Clock, FairQueue, type ShareOwner, TenantShares } from '@spooled/domain';
import { type UnsentKind, UnsentReader, type UnsentTotals } from './unsent-reader.js';

export interface UnsentLimits {
  /** Of this process. */
  maxBytes: number;
  /** A client without progress for so long is disconnected when others of its organization wait. */
  stalledMs: number;
}

interface Waiting {
  reader: UnsentReader;
  bytes: number;
  unless: AbortSignal;
  grant(): void;
}

/**
 * Bytes that wait for clients to read them, of every kind, shared by organizations (BX-03): a client that reads nothing must not fill
 * the memory of the process. What can wait is reserved before it is produced, in the order of the requests; of what cannot, the client
 * with the most bytes is disconnected.
 */
export class UnsentBytes implements UnsentTotals {
  private readonly shares: TenantShares;
  private readonly waiting = new FairQueue<Waiting>();
  private readonly readers = new Map<string, Set<UnsentReader>>();
  private readonly kinds = new Map<UnsentKind, number>();
  /** Organizations whose stalled clients are looked at when the timer ends. */
  private readonly watched = new Set<string>();

  constructor(
    private readonly limits: UnsentLimits,
    private readonly clock: Clock,
  ) {
    this.shares = new TenantShares(limits.maxBytes);
  }

  /** A client without bytes. @param end disconnects it, at most once; absent = it cannot be disconnected */
  open(kind: UnsentKind, owner: ShareOwner, end?: () => void): UnsentReader {
    const reader = new UnsentReader(this, kind, owner, end);
    const readers = this.readers.get(owner.name) ?? new Set();
    this.readers.set(owner.name, readers.add(reader));
    return reader;
  }

  /** Of all clients of a kind. */
  bytesOf(kind: UnsentKind): number {
    return this.kinds.get(kind) ?? 0;
  }

  /** Whether `reserve` resolves at once. */
  hasCapacity(owner: ShareOwner, bytes: number): boolean {
    return this.waiting.peek(owner.name) === undefined && this.fits(owner, bytes);
  }

  /** An organization that has none may have them as long as any are free: more than its share may be asked for at once. */
  fits({ name, weight }: ShareOwner, bytes: number): boolean {
    return this.shares.available(name, weight) >= bytes || (this.shares.free > 0 && this.shares.usedBy(name) === 0);
  }

  /** Resolves with true when the reader may have so many bytes more, in turn; false when aborted before. */
  turn(reader: UnsentReader, bytes: number, unless: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const abandon = () => resolve(false);
      unless.addEventListener('abort', abandon, { once: true });
      const grant = () => {
        unless.removeEventListener('abort', abandon);
        // Counted here, because the next in turn is asked before the promise settles.
        this.count(reader, bytes);
        resolve(true);
      };
      this.waiting.push(reader.owner.name, { reader, bytes, unless, grant });
      this.watchStalled(reader.owner.name);
    });
  }

  /** Counts more bytes, or fewer if negative. */
  count(reader: UnsentReader, bytes: number): void {
    const { kind, owner } = reader;
    if (bytes < 0 || reader.bytes === 0) reader.acceptedAt = this.clock.monotonic();
    reader.bytes += bytes;
    this.kinds.set(kind, this.bytesOf(kind) + bytes);
    if (bytes > 0) return this.shares.take(owner.name, bytes);
    this.shares.release(owner.name, -bytes);
    this.grantWaiting();
  }

  /** Ends clients of an owner that has any, those with the most bytes first, until it has no more than its share. */
  enforceShare({ name, weight }: ShareOwner): void {
    const readers = [...this.readers.get(name)!];
    let leaving = 0;
    for (const { isEnded, bytes } of readers) if (isEnded) leaving += bytes;
    const isBeyond = () => this.shares.usedBy(name) - leaving > weight * (this.shares.free + leaving);
    if (!isBeyond()) return;
    for (const reader of readers.sort((a, b) => b.bytes - a.bytes)) {
      if (!isBeyond()) return;
      const { bytes } = reader;
      if (reader.disconnect()) leaving += bytes;
    }
  }

  /** Forgets a client and what waited for it, once. */
  forget(reader: UnsentReader): void {
    const { name } = reader.owner;
    const readers = this.readers.get(name)!;
    readers.delete(reader);
    if (readers.size === 0) this.readers.delete(name);
    this.count(reader, -reader.bytes);
  }

  get now(): number {
    return this.clock.monotonic();
  }

  /** In turns; those that were aborted are passed over. */
  private grantWaiting(): void {
    const mayGo = (name: string) => {
      const { reader, bytes, unless } = this.waiting.peek(name)!;
      return unless.aborted || this.fits(reader.owner, bytes);
    };
    for (let name = this.waiting.nextAmong(mayGo); name !== undefined; name = this.waiting.nextAmong(mayGo)) {
      const { unless, grant } = this.waiting.take(name)!;
      if (!unless.aborted) grant();
    }
  }

  /** While clients of the organization wait, those that stall are disconnected: the longest first, until the next one fits. */
  private watchStalled(name: string): void {
    if (this.watched.has(name)) return;
    this.watched.add(name);
    this.clock
      .after(this.limits.stalledMs, () => {
        this.watched.delete(name);
        this.grantWaiting();
        if (this.waiting.peek(name) === undefined) return;
        this.endStalled(name);
        this.watchStalled(name);
      })
      .unref();
  }

  private endStalled(name: string): void {
    const since = this.clock.monotonic() - this.limits.stalledMs;
    const stalled = [...(this.readers.get(name) ?? [])].filter(
      ({ bytes, acceptedAt }) => bytes > 0 && acceptedAt <= since,
    );
    // The bytes of a client that ends are free when it has closed.
    let needed = this.waiting.peek(name)!.bytes;
    for (const reader of stalled.sort((a, b) => a.acceptedAt - b.acceptedAt)) {
      if (needed <= 0) return;
      const { bytes } = reader;
      if (reader.disconnect()) needed -= bytes;
    }
  }
}
