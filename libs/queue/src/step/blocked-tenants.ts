import { systemClock } from '@spooled/clock';
import { isStatementTimeout, toDatabaseError } from '@spooled/data-access';
import type { Clock } from '@spooled/domain';

const blockedMs = 5_000;

/** Lock timeout of work for one organization that others wait for. Longer than locks are held, but by transactions of applications. */
export const lockTimeoutMs = 1_000;

/** Whether PostgreSQL is unavailable, so that work for the next organization would fail as well. */
export const isOutage = (error: unknown): boolean =>
  !isStatementTimeout(error) && toDatabaseError(error).status === 503;

/** Organizations whose transactions recently exceeded a lock or statement timeout. */
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

  has(organizationId: string): boolean {
    const until = this.until.get(organizationId);
    if (until === undefined) return false;
    if (until > this.clock.monotonic()) return true;
    this.until.delete(organizationId);
    return false;
  }
}
