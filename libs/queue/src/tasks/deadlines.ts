import { systemClock } from '@spooled/clock';
import type { Database } from '@spooled/data-access';
import type { Clock } from '@spooled/domain';
import { nextDeadlines } from './next-deadlines.queries.js';

type Deadline = 'job' | 'schedule' | 'operation' | 'pauseExpiry';

/** Milliseconds until each. `at`: when they were read, on the monotonic clock. */
type NextDeadlines = { at: number } & Record<Deadline, number | null>;

/** Deadline tasks poll at the same moment, their timers a millisecond or two apart. */
const sharedForMs = 20;
/** Longer than a pause of a busy machine. */
const slowReadMs = 100;
/** The result of a slow read serves for this many times its duration: reads of up to 250 ms take at most 5 % of the time. */
const slowReadFactor = 20;
/** What is added after the read and due before all others is noticed this much later at most. */
const longestSharedMs = 5_000;

/**
 * The next deadlines. One query serves all tasks that poll at the same moment; a query per task was half of an idle scheduler's work.
 *
 * While an old snapshot keeps vacuum from removing dead index entries, the query reads one for each completed job: with 3.6 million,
 * reads every second occupied 1.4 sessions. The result of a slow read therefore serves until its first deadline, at most 5 s.
 */
export class Deadlines {
  private latest: Promise<NextDeadlines> | undefined;
  private sharedUntil = -Infinity;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock = systemClock,
  ) {}

  /** Milliseconds until the next job is due or lease expires, and so on: 0 or less = overdue, null = none. */
  async msUntil(kind: Deadline): Promise<number | null> {
    const { at, [kind]: left } = await this.read();
    return left && left - (this.clock.monotonic() - at);
  }

  private read(): Promise<NextDeadlines> {
    if (this.latest && this.clock.monotonic() < this.sharedUntil) return this.latest;
    const startedAt = this.clock.monotonic();
    this.sharedUntil = Infinity;
    this.latest = this.readNow();
    this.latest.then(
      (deadlines) => (this.sharedUntil = servesUntil(startedAt, deadlines)),
      () => (this.sharedUntil = startedAt + sharedForMs),
    );
    return this.latest;
  }

  private readNow(): Promise<NextDeadlines> {
    return this.db.asSystem('next deadlines', async (tx) => {
      const { job, schedule, operation, pause_expiry: pauseExpiry } = await tx.one(nextDeadlines);
      return { at: this.clock.monotonic(), job, schedule, operation, pauseExpiry };
    });
  }
}

function servesUntil(startedAt: number, { at, job, schedule, operation, pauseExpiry }: NextDeadlines): number {
  const readMs = at - startedAt;
  if (readMs < slowReadMs) return startedAt + sharedForMs;
  const first = Math.min(...[job, schedule, operation, pauseExpiry].map((left) => left ?? Infinity));
  return at + Math.min(slowReadFactor * readMs, longestSharedMs, first);
}
