import { systemClock } from '@spooled/clock';
import type { Database } from '@spooled/data-access';
import type { Clock } from '@spooled/domain';
import { nextDeadlines } from './next-deadlines.queries.js';

type Deadline = 'job' | 'schedule' | 'operation' | 'pauseExpiry';

/** Milliseconds until each. `at`: when they were read, on the monotonic clock. */
type NextDeadlines = { at: number } & Record<Deadline, number | null>;

/** Deadline tasks poll at the same moment, their timers a millisecond or two apart. */
const sharedForMs = 20;

/** The next deadlines. One query serves all tasks that poll at the same moment; a query per task was half of an idle scheduler's work. */
export class Deadlines {
  private latest: Promise<NextDeadlines> | undefined;
  private readAt = -Infinity;

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
    if (this.latest && this.clock.monotonic() - this.readAt < sharedForMs) return this.latest;
    this.readAt = this.clock.monotonic();
    return (this.latest = this.readNow());
  }

  private readNow(): Promise<NextDeadlines> {
    return this.db.asSystem('next deadlines', async (tx) => {
      const { job, schedule, operation, pause_expiry: pauseExpiry } = await tx.one(nextDeadlines);
      return { at: this.clock.monotonic(), job, schedule, operation, pauseExpiry };
    });
  }
}
