import { systemClock } from '@spooled/clock';
import { isStatementTimeout, toDatabaseError } from '@spooled/data-access';
import type { Clock } from '@spooled/domain';
import type { Effects } from './effects.js';

const blockedMs = 5_000;
/** How long an organization is a suspect after that. */
const suspectMs = 60_000;

/** Lock timeout of work for one organization that others wait for. Longer than locks are held, but by transactions of applications. */
export const lockTimeoutMs = 1_000;

/** Of work for many organizations in the background. */
export interface BackgroundOptions {
  /** Called after each commit that has effects; must not throw. */
  onEffects(effects: Effects): void;
  /** Called with an organization whose rows wait for locks of other transactions. They are tried again some seconds later. */
  onBlocked?(organizationId: string): void;
  /** Called with an error that does not stop the work of others: what failed is tried again, or recorded as failed. */
  onError(error: unknown, what: string): void;
  /** Lock timeout. @default lockTimeoutMs */
  lockMs?: number;
  /** By which blocked organizations are tried again. */
  clock?: Clock;
}

/** Whether PostgreSQL is unavailable, so that work for the next organization would fail as well. */
export const isOutage = (error: unknown): boolean =>
  !isStatementTimeout(error) && toDatabaseError(error).status === 503;

/**
 * Organizations whose transactions recently exceeded a lock or statement timeout. Afterwards an organization is a suspect for a minute: it is
 * tried alone, after the others and for a shorter time, because they wait for it, and most often it is still blocked.
 */
export class BlockedTenants {
  private readonly until = new Map<string, number>();

  /** @param onBlocked called when an organization is added */
  constructor(
    private readonly onBlocked?: (organizationId: string) => void,
    private readonly clock: Clock = systemClock,
  ) {}

  /** Whether there are any. */
  get any(): boolean {
    for (const organizationId of this.until.keys()) if (this.has(organizationId)) return true;
    return false;
  }

  /** All of them. */
  list(): string[] {
    return [...this.until.keys()].filter((organizationId) => this.has(organizationId));
  }

  record(organizationId: string): void {
    if (!this.has(organizationId)) this.onBlocked?.(organizationId);
    this.until.set(organizationId, this.clock.monotonic() + blockedMs);
  }

  /** The lock timeout of work for an organization. @param usual that of others, milliseconds */
  lockMs(organizationId: string, usual: number): number {
    return this.isSuspect(organizationId) ? usual / 4 : usual;
  }

  has(organizationId: string): boolean {
    return this.msSinceBlock(organizationId) < 0;
  }

  /** All suspects. */
  suspects(): string[] {
    return [...this.until.keys()].filter((organizationId) => this.isSuspect(organizationId));
  }

  isSuspect(organizationId: string): boolean {
    const ms = this.msSinceBlock(organizationId);
    return ms >= 0 && ms < suspectMs;
  }

  /** Negative while it is blocked; Infinity if it has not been of late. */
  private msSinceBlock(organizationId: string): number {
    const ms = this.clock.monotonic() - (this.until.get(organizationId) ?? -Infinity);
    if (ms >= suspectMs) this.until.delete(organizationId);
    return ms;
  }
}
