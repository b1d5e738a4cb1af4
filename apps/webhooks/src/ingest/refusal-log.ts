import { systemClock } from '@spooled/clock';
import type { Clock, Timer } from '@spooled/domain';
import { type Database, type InboundRefusal, recordInboundRefusals } from '@spooled/data-access';
import type { AppLogger } from '@spooled/platform';

/** After the first refusal of an organization, milliseconds: short, so that a developer who sets up a sender sees it at once. */
const firstWriteMs = 250;
/** Between two writes for one organization, milliseconds. */
const pauseMs = 10_000;
/** Different refusals of one organization and of one address that one write records; the others are only counted by metrics. */
const maxOfOrganization = 20;
const maxOfAddress = 5;
/** Organizations whose refusals are collected at the same time. */
const maxOrganizations = 1_000;
const maxReasonLength = 500;
const maxEventTypeLength = 64;

/** One or more refused calls that differ in nothing but their time. */
export interface Refusal {
  provider: string;
  eventType: string;
  code: string;
  reason: string;
  address: string;
}

interface Pending extends Refusal {
  calls: number;
  /** Of the first of them, on the monotonic clock. */
  at: number;
}

interface Collected {
  pending: Map<string, Pending>;
  timer: Timer;
}

/**
 * Records refused webhooks for the log of their organization (BX-12). A flood of forged calls costs one write of at most 20 rows per 10 s
 * and organization in each process. Best effort: what is pending is lost with the process, and while PostgreSQL is away.
 */
export class RefusalLog {
  private readonly organizations = new Map<string, Collected>();
  private readonly writing = new Set<Promise<void>>();

  constructor(
    private readonly db: Pick<Database, 'withTenant'>,
    private readonly logger: Pick<AppLogger, 'warn'>,
    private readonly clock: Clock = systemClock,
  ) {}

  /** Does not wait, and never throws. */
  record(organizationId: string, refusal: Refusal): void {
    const pending = this.pendingOf(organizationId);
    if (!pending) return;
    const { provider, code, address } = refusal;
    const reason = storable(refusal.reason, maxReasonLength);
    const eventType = storable(refusal.eventType, maxEventTypeLength);
    const key = JSON.stringify([provider, eventType, code, reason, address]);
    const same = pending.get(key);
    if (same) same.calls++;
    else if (hasCapacity(pending, address)) {
      pending.set(key, { provider, eventType, code, reason, address, calls: 1, at: this.clock.monotonic() });
    }
  }

  /** Writes what is pending. */
  async stop(): Promise<void> {
    for (const [id, { pending, timer }] of this.organizations) {
      timer.cancel();
      this.write(id, pending);
    }
    this.organizations.clear();
    await Promise.all(this.writing);
  }

  private pendingOf(organizationId: string): Collected['pending'] | undefined {
    const known = this.organizations.get(organizationId);
    if (known) return known.pending;
    if (this.organizations.size >= maxOrganizations) return undefined;
    const pending: Collected['pending'] = new Map();
    this.organizations.set(organizationId, { pending, timer: this.writeLater(organizationId, firstWriteMs) });
    return pending;
  }

  private writeLater(organizationId: string, afterMs: number): Timer {
    const run = () => {
      const collected = this.organizations.get(organizationId)!;
      if (collected.pending.size === 0) return void this.organizations.delete(organizationId);
      this.write(organizationId, collected.pending);
      collected.pending = new Map();
      collected.timer = this.writeLater(organizationId, pauseMs);
    };
    return this.clock.after(afterMs, run).unref();
  }

  private write(organizationId: string, pending: Collected['pending']): void {
    if (pending.size === 0) return;
    const now = this.clock.monotonic();
    const rows = [...pending.values()].map(({ at, eventType: event_type, ...row }): InboundRefusal => ({
      ...row,
      event_type,
      ms_ago: now - at,
    }));
    const written = this.db
      .withTenant(organizationId, (tx) => recordInboundRefusals(tx, rows))
      .catch((error: unknown) => this.logger.warn({ err: error, organizationId }, 'refused webhooks were not recorded'))
      .finally(() => this.writing.delete(written));
    this.writing.add(written);
  }
}

/** Callers choose parts of these texts, and PostgreSQL refuses NUL and halves of surrogate pairs, with all rows of the write. */
const storable = (text: string, length: number): string =>
  text
    .slice(0, length)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ');

function hasCapacity(pending: Collected['pending'], address: string): boolean {
  if (pending.size >= maxOfOrganization) return false;
  let ofAddress = 0;
  for (const one of pending.values()) if (one.address === address) ofAddress++;
  return ofAddress < maxOfAddress;
}
