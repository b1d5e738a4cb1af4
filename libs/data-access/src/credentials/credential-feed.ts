import { systemClock } from '@spooled/clock';
import type { Clock, Timer } from '@spooled/domain';
import type { Database } from '../database/database.js';
import { oneOf } from '../database/stored-values.js';
import { changeKinds, RecentChanges, type CredentialChange, type ReadPosition } from './recent-changes.js';
import { readCredentialChanges, type ReadCredentialChangesResult } from './read-credential-changes.queries.js';

/** Poll interval: the delay of a change whose notice was lost. */
const intervalMs = 1_000;
/** How long cached credentials are used while changes cannot be read. */
const maxStalenessMs = 10_000;
/** A poll that hangs must not block the next one, which may get another connection. */
const pollTimeoutMs = 5_000;
/** Maximum age of cached credentials, in the process and in Redis. */
export const maxCacheAgeSeconds = 3_600;
/** Longer than the maximum cache age; the scheduler deletes older changes. */
export const changeRetentionSeconds = 2 * maxCacheAgeSeconds;
const changeRetentionMs = changeRetentionSeconds * 1_000;

export interface CredentialFeedOptions {
  /** Called once per outage, when changes cannot be read. */
  onError?: (error: unknown) => void;
  intervalMs?: number;
  maxStalenessMs?: number;
  /** Default: the system's. */
  clock?: Clock;
}

/**
 * Polls PostgreSQL for changes of credentials, which are recorded in the transaction that makes them. A process uses cached
 * credentials only while its feed is current. So a change takes effect everywhere within one poll interval even if notices
 * or Redis are lost; if PostgreSQL is unavailable, cached credentials stop being used after `maxStalenessMs`.
 */
export class CredentialFeed {
  private readonly listeners = new Set<(change: CredentialChange | 'everything') => void>();
  private readonly changes = new RecentChanges(changeRetentionMs);
  private readonly options: Required<CredentialFeedOptions>;
  /** Null = read all retained changes. */
  private position: number | null = null;
  /** When the last successful poll began (on the monotonic clock), and the database's time of that poll. */
  private polledAt = -Infinity;
  private databaseTime = 0;
  private failing = false;
  private polling: Promise<void> | null = null;
  private timer?: Timer;

  constructor(
    private readonly database: Database,
    options: CredentialFeedOptions = {},
  ) {
    this.options = { onError: () => undefined, intervalMs, maxStalenessMs, clock: systemClock, ...options };
  }

  start(): this {
    this.timer ??= this.options.clock.every(this.options.intervalMs, () => void this.poll()).unref();
    void this.poll();
    return this;
  }

  async stop(): Promise<void> {
    this.timer?.cancel();
    await this.polling;
  }

  /** The clock of `isCurrent`. */
  get clock(): Clock {
    return this.options.clock;
  }

  /** Calls `listener` with each change; with `everything` when changes may have been deleted before they were read. */
  onChange(listener: (change: CredentialChange | 'everything') => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Whether data read at `since` (on the monotonic clock), or covered by the last poll, is fresh enough to be used. */
  isCurrent(since = -Infinity): boolean {
    return this.options.clock.monotonic() - Math.max(since, this.polledAt) < this.options.maxStalenessMs;
  }

  /** Whether a shared cache entry that was read at `read` may be used: it is not too old and no change has superseded it. */
  isValidCacheEntry(read: ReadPosition, organizationId: string, keyDigest: string): boolean {
    if (!this.isCurrent() || read.readAt < this.databaseTime - maxCacheAgeSeconds * 1_000) return false;
    return !this.isSuperseded(read, organizationId, keyDigest, 0);
  }

  /** Number of changes received; a database read that begins now includes all of them. */
  get changeCount(): number {
    return this.changes.count;
  }

  /** Whether a read may lack a received change of the key or its organization. The first `seenChanges` changes preceded it. */
  isSuperseded(read: ReadPosition, organizationId: string, keyDigest: string, seenChanges: number): boolean {
    const subjects = [
      { kind: 'api_key' as const, organizationId, subject: keyDigest },
      { kind: 'organization' as const, organizationId, subject: '' },
    ];
    return this.changes.hasChangeMissedBy(read, subjects, seenChanges);
  }

  /** Reads new changes. Never rejects; concurrent calls share one poll. */
  poll(): Promise<void> {
    return (this.polling ??= this.read().finally(() => (this.polling = null)));
  }

  private async read(): Promise<void> {
    const startedAt = this.options.clock.monotonic();
    try {
      let rows = await this.readChanges();
      if (this.position !== null && rows[0]!.position < this.position) {
        // After a failover to a standby that lacked the latest transactions, positions restart lower.
        this.position = null;
        rows = await this.readChanges();
      }
      this.apply(rows, startedAt);
    } catch (error) {
      // The next server may be a promoted standby, for which this position is invalid.
      this.position = null;
      if (!this.failing) this.options.onError(error);
      this.failing = true;
    }
  }

  private readChanges(): Promise<ReadCredentialChangesResult[]> {
    const { position } = this;
    return withTimeout(
      this.options.clock,
      this.database.asSystem('credential changes', (tx) => tx.run(readCredentialChanges, { position })),
    );
  }

  private apply(rows: ReadCredentialChangesResult[], startedAt: number): void {
    const { position, read_at: readAt } = rows[0]!;
    // After such a pause (a suspended machine, for instance) changes may have been deleted before they were read.
    const pausedTooLong = this.databaseTime > 0 && readAt - this.databaseTime > changeRetentionMs / 2;
    if (pausedTooLong) this.notify('everything');
    for (const row of rows) {
      const change = changeOf(row);
      if (change && this.changes.add(change)) this.notify(change);
    }
    this.changes.deleteOld(readAt);
    this.position = position;
    this.databaseTime = readAt;
    this.polledAt = startedAt;
    this.failing = false;
  }

  private notify(change: CredentialChange | 'everything'): void {
    for (const listener of this.listeners) listener(change);
  }
}

/** Null for the row that contains only the position. */
function changeOf({
  organization_id,
  kind,
  subject,
  xid,
  changed_at,
}: ReadCredentialChangesResult): CredentialChange | null {
  if (organization_id === null || kind === null || subject === null || xid === null || changed_at === null) return null;
  return { organizationId: organization_id, kind: oneOf(changeKinds, kind), subject, xid, changedAt: changed_at };
}

async function withTimeout<T>(clock: Clock, polling: Promise<T>): Promise<T> {
  let timer: Timer | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = clock.after(pollTimeoutMs, () => reject(new Error(`no answer within ${pollTimeoutMs} ms`)));
  });
  try {
    return await Promise.race([polling, timeout]);
  } finally {
    timer?.cancel();
  }
}
