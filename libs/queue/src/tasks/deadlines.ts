import { systemClock } from '@spooled/clock';
import type { Database } from '@spooled/data-access';
import type { Clock } from '@spooled/domain';
import { nextDeadlines } from './next-deadlines.queries.js';

interface NextDeadlines {
  /** When they were read, on the monotonic clock. */
  at: number;
  job: number | null;
  schedule: number | null;
  operation: number | null;
  pauseExpiry: number | null;
}

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

  /** Milliseconds until the next job is due or lease expires: 0 or less = overdue, null = none. */
  async msUntilJob(): Promise<number | null> {
    const { at, job } = await this.read();
    return job && job - (this.clock.monotonic() - at);
  }

  /** As `msUntilJob`, for schedules. */
  async msUntilSchedule(): Promise<number | null> {
    const { at, schedule } = await this.read();
    return schedule && schedule - (this.clock.monotonic() - at);
  }

  /** As `msUntilJob`, for the next steps of operations. */
  async msUntilOperation(): Promise<number | null> {
    const { at, operation } = await this.read();
    return operation && operation - (this.clock.monotonic() - at);
  }

  /** As `msUntilJob`, for pauses of queues. */
  async msUntilPauseExpiry(): Promise<number | null> {
    const { at, pauseExpiry } = await this.read();
    return pauseExpiry && pauseExpiry - (this.clock.monotonic() - at);
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
