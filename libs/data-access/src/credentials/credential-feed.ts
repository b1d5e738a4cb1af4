import type { Database } from '../database/database.js';
import { oneOf } from '../database/stored-values.js';
import { changeKinds, KnownChanges, type CredentialChange, type ReadPosition } from './known-changes.js';
import { readCredentialChanges, type ReadCredentialChangesResult } from './read-credential-changes.queries.js';

/** How late a change is noticed that no notice tells of, while PostgreSQL answers. */
const intervalMs = 1_000;
/** Longest that what is cached is used while changes cannot be read. */
const trustedMs = 10_000;
/** A look that hangs must not keep the next one from another connection. */
const lookTimeoutMs = 5_000;
/** Longest that anything about a credential is cached, anywhere. */
export const cachedAtMostSeconds = 3_600;
/** Longer than anything is cached; the scheduler removes older changes. */
export const changesKeptSeconds = 2 * cachedAtMostSeconds;
const changesKeptMs = changesKeptSeconds * 1_000;

export interface CredentialFeedOptions {
  /** Hears when changes can no longer be read, once for each outage. */
  onError?: (error: unknown) => void;
  intervalMs?: number;
  trustedMs?: number;
}

/**
 * Reads the changes of credentials from PostgreSQL, where they are written in the transaction that makes them. Nothing that
 * a process has cached is used unless its feed is current: so whatever was lost – a notice, a Redis, the process that
 * changed something – a change acts everywhere after one interval, or cached credentials are no longer used at all.
 */
export class CredentialFeed {
  private readonly listeners = new Set<(change: CredentialChange | 'everything') => void>();
  private readonly changes = new KnownChanges(changesKeptMs);
  private readonly options: Required<CredentialFeedOptions>;
  /** Null = everything that is kept must be read (again). */
  private position: number | null = null;
  /** When the last look that succeeded began: by the process's monotonic clock, and by the database's. */
  private lookedAt = -Infinity;
  private databaseTime = 0;
  private failing = false;
  private looking: Promise<void> | null = null;
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly database: Database,
    options: CredentialFeedOptions = {},
  ) {
    this.options = { onError: () => undefined, intervalMs, trustedMs, ...options };
  }

  start(): this {
    this.timer ??= setInterval(() => void this.look(), this.options.intervalMs).unref();
    void this.look();
    return this;
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.looking;
  }

  /** Calls `listener` with each change that is read; `everything`: so long after the last look that some may be gone. */
  onChange(listener: (change: CredentialChange | 'everything') => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Whether what was read at `since` (of `performance.now`), or has been watched over until now, may be used. */
  isCurrent(since = -Infinity): boolean {
    return performance.now() - Math.max(since, this.lookedAt) < this.options.trustedMs;
  }

  /** Whether an entry of the shared cache that was read at `read` may be used: it is young enough and misses no change. */
  covers(read: ReadPosition, organizationId: string, keyDigest: string): boolean {
    if (!this.isCurrent() || read.readAt < this.databaseTime - cachedAtMostSeconds * 1_000) return false;
    return !this.isSuperseded(read, organizationId, keyDigest, 0);
  }

  /** How many changes have been read; a read of the database that begins now shows them. */
  get arrivals(): number {
    return this.changes.arrivals;
  }

  /** Whether a change of the key or its organization is known that a read, begun after `shown` changes, may have missed. */
  isSuperseded(read: ReadPosition, organizationId: string, keyDigest: string, shown: number): boolean {
    const subjects = [
      { kind: 'api_key' as const, organizationId, subject: keyDigest },
      { kind: 'organization' as const, organizationId, subject: '' },
    ];
    return this.changes.hasMissedBy(read, subjects, shown);
  }

  /** Reads what has changed. Never rejects; calls at the same time share one look. */
  look(): Promise<void> {
    return (this.looking ??= this.read().finally(() => (this.looking = null)));
  }

  private async read(): Promise<void> {
    const began = performance.now();
    try {
      let rows = await this.ask();
      if (this.position !== null && rows[0]!.position < this.position) {
        // Another history: a standby has taken over that lacked the end of this one.
        this.position = null;
        rows = await this.ask();
      }
      this.take(rows, began);
    } catch (error) {
      // What answers next may be another server that has taken over: positions of this one mean nothing there.
      this.position = null;
      if (!this.failing) this.options.onError(error);
      this.failing = true;
    }
  }

  private ask(): Promise<ReadCredentialChangesResult[]> {
    const { position } = this;
    return withTimeout(
      this.database.asSystem('credential changes', (tx) => tx.run(readCredentialChanges, { position })),
    );
  }

  private take(rows: ReadCredentialChangesResult[], began: number): void {
    const { position, read_at: readAt } = rows[0]!;
    // After such a pause, of a suspended machine for instance, rows may have been removed unread.
    const pausedTooLong = this.databaseTime > 0 && readAt - this.databaseTime > changesKeptMs / 2;
    if (pausedTooLong) this.tell('everything');
    for (const row of rows) {
      const change = changeOf(row);
      if (change && this.changes.add(change)) this.tell(change);
    }
    this.changes.forgetOld(readAt);
    this.position = position;
    this.databaseTime = readAt;
    this.lookedAt = began;
    this.failing = false;
  }

  private tell(change: CredentialChange | 'everything'): void {
    for (const listener of this.listeners) listener(change);
  }
}

/** Null for the row that only says how far the look reached. */
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

async function withTimeout<T>(looking: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${lookTimeoutMs} ms`)), lookTimeoutMs);
  });
  try {
    return await Promise.race([looking, late]);
  } finally {
    clearTimeout(timer);
  }
}
