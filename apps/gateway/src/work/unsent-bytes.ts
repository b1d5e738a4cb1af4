import { Inject, Injectable } from '@nestjs/common';
import { FairQueue, type ShareOwner, TenantShares } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import type { GatewaySettings } from '../gateway.config.js';

/** Bytes that are counted until `release`. */
export interface ReservedBytes {
  /** Counts what is held instead of what may be. */
  hold(bytes: number): void;
  release(): void;
}

interface Waiting {
  owner: ShareOwner;
  bytes: number;
  unless: AbortSignal;
  grant(): void;
}

/**
 * Bytes of jobs that were claimed for streams and that their clients have not accepted, shared by organizations (BX-03): a client that
 * reads nothing must not fill the memory of the process. Streams claim only within their organization's share, in the order in which
 * they asked.
 */
@Injectable()
export class UnsentBytes {
  private readonly shares: TenantShares;
  private readonly waiting = new FairQueue<Waiting>();

  constructor(@Inject(SETTINGS) { GRPC_MAX_UNSENT_BYTES }: Pick<GatewaySettings, 'GRPC_MAX_UNSENT_BYTES'>) {
    this.shares = new TenantShares(GRPC_MAX_UNSENT_BYTES);
  }

  /** Whether `reserve` resolves at once. */
  hasRoom(owner: ShareOwner, bytes: number): boolean {
    return this.waiting.peek(owner.name) === undefined && this.fits(owner, bytes);
  }

  /** Resolves when the owner may have so many bytes more; null when aborted before. */
  reserve(owner: ShareOwner, bytes: number, unless: AbortSignal): Promise<ReservedBytes | null> {
    if (this.hasRoom(owner, bytes)) return Promise.resolve(this.take(owner.name, bytes));
    return new Promise((resolve) => {
      const abandon = () => resolve(null);
      unless.addEventListener('abort', abandon, { once: true });
      const grant = () => {
        unless.removeEventListener('abort', abandon);
        resolve(this.take(owner.name, bytes));
      };
      this.waiting.push(owner.name, { owner, bytes, unless, grant });
    });
  }

  private take(name: string, bytes: number): ReservedBytes {
    let held = 0;
    const count = (now: number) => {
      if (now > held) this.shares.take(name, now - held);
      else if (now < held) this.shares.release(name, held - now);
      held = now;
    };
    const hold = (now: number) => {
      count(now);
      this.grantWaiting();
    };
    count(bytes);
    return { hold, release: () => hold(0) };
  }

  /** In turns; those that were aborted are passed over. */
  private grantWaiting(): void {
    const mayGo = (name: string) => {
      const { owner, bytes, unless } = this.waiting.peek(name)!;
      return unless.aborted || this.fits(owner, bytes);
    };
    for (let name = this.waiting.nextAmong(mayGo); name !== undefined; name = this.waiting.nextAmong(mayGo)) {
      const { unless, grant } = this.waiting.take(name)!;
      if (!unless.aborted) grant();
    }
  }

  /** An organization that has none may have them as long as any are free: more than its share may be asked for at once. */
  private fits({ name, weight }: ShareOwner, bytes: number): boolean {
    const { free } = this.shares;
    return this.shares.available(name, weight) >= bytes || (free > 0 && this.shares.usedBy(name) === 0);
  }
}
