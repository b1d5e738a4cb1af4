import { systemClock } from '@spooled/clock';
import type { Clock } from '@spooled/domain';
import { type Reachability, ReceiverCircuit, type ReceiverCircuitOptions } from './receiver-circuits.js';

/** Circuits of an organization that are kept; the oldest ones are forgotten, and begin closed when they are needed again. */
const maxPerOrganization = 1_000;
/** A circuit without a call for this long is forgotten. */
const idleMs = 600_000;

interface Entry {
  circuit: ReceiverCircuit;
  /** The last pause. */
  pauseMs: number;
  /** When a trial call may start; infinite while it runs. */
  pausedUntil: number;
  lastUsed: number;
}

/** A call in progress; pass it to `settle`. */
export interface ReceiverCall {
  organizationId: string;
  origin: string;
  isTrial: boolean;
}

/** What the end of a call has changed. */
export interface ReceiverChange {
  /** The circuit has opened or stays open, and no call starts for so long; 0 = neither. */
  pauseMs: number;
  /** It was open and is closed now. */
  hasRecovered: boolean;
}

/**
 * Circuit breakers of the receivers that jobs name themselves, by organization and origin (scheme, host and port): such URLs often have a path
 * for each job. Receivers that respond are not kept.
 */
export class JobReceivers {
  private readonly organizations = new Map<string, Map<string, Entry>>();

  constructor(
    private readonly options: ReceiverCircuitOptions,
    private readonly clock: Clock = systemClock,
  ) {}

  /** Number of open circuits. */
  get open(): number {
    let open = 0;
    for (const entries of this.organizations.values())
      for (const { circuit } of entries.values()) if (circuit.isOpen) open++;
    return open;
  }

  /** How long a call has to wait, 0 = it may start now. Half as long again at random, so that not all waiting jobs are due at once. */
  delayMs(organizationId: string, origin: string): number {
    const entry = this.find(organizationId, origin);
    if (!entry?.circuit.isOpen) return 0;
    const left = entry.pausedUntil - this.clock.monotonic();
    if (left <= 0) return 0;
    return Math.ceil((Number.isFinite(left) ? left : entry.pauseMs) * (1 + Math.random() / 2));
  }

  /** To be called when a call starts that need not wait. */
  begin(organizationId: string, origin: string): ReceiverCall {
    const entry = this.find(organizationId, origin);
    if (!entry?.circuit.isOpen) return { organizationId, origin, isTrial: false };
    entry.circuit.allowTrial();
    entry.pausedUntil = Infinity;
    return { organizationId, origin, ...entry.circuit.begin() };
  }

  /** Records the end of a call. */
  record({ organizationId, origin, isTrial }: ReceiverCall, reached: Reachability): ReceiverChange {
    const known = this.find(organizationId, origin);
    if (!known && reached !== 'unreachable') return { pauseMs: 0, hasRecovered: false };
    const entry = known ?? this.add(organizationId, origin);
    const wasOpen = entry.circuit.isOpen;
    const pauseMs = entry.circuit.record({ isTrial }, reached);
    entry.lastUsed = this.clock.monotonic();
    if (pauseMs > 0) Object.assign(entry, { pauseMs, pausedUntil: this.clock.monotonic() + pauseMs });
    // The trial call was aborted: the next call is one.
    else if (isTrial && reached === 'unknown') entry.pausedUntil = 0;
    if (reached === 'answered') this.remove(organizationId, origin);
    return { pauseMs, hasRecovered: wasOpen && reached === 'answered' };
  }

  /** Forgets receivers that have not been called for a long time, and whose trial call does not last. */
  forgetIdle(): void {
    const before = this.clock.monotonic() - idleMs;
    for (const [organizationId, entries] of this.organizations)
      for (const [origin, { lastUsed, pausedUntil }] of entries)
        if (lastUsed < before && pausedUntil < Infinity) this.remove(organizationId, origin);
  }

  private find(organizationId: string, origin: string): Entry | undefined {
    return this.organizations.get(organizationId)?.get(origin);
  }

  private add(organizationId: string, origin: string): Entry {
    const entries = this.organizations.get(organizationId) ?? new Map<string, Entry>();
    this.organizations.set(organizationId, entries);
    if (entries.size >= maxPerOrganization) entries.delete(entries.keys().next().value!);
    const entry = {
      circuit: new ReceiverCircuit(this.options),
      pauseMs: 0,
      pausedUntil: 0,
      lastUsed: this.clock.monotonic(),
    };
    entries.set(origin, entry);
    return entry;
  }

  private remove(organizationId: string, origin: string): void {
    const entries = this.organizations.get(organizationId);
    entries?.delete(origin);
    if (entries?.size === 0) this.organizations.delete(organizationId);
  }
}
