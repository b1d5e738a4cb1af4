import { Injectable } from '@nestjs/common';
import { Database, msUntilNextSchedule } from '@spooled/data-access';
import { msUntilNextDeadline } from '@spooled/queue';

interface Answer {
  /** By the process's monotonic clock. */
  at: number;
  job: number | null;
  schedule: number | null;
}

/** Tasks that look at the same moment share an answer; their timers are a millisecond or two apart. */
const sharedForMs = 20;

/**
 * When something is due next. One look at the database answers all tasks that ask at the same moment, as armed tasks do: each
 * asking for itself was half of what an idle scheduler did.
 */
@Injectable()
export class Deadlines {
  private answer: Promise<Answer> | undefined;
  private askedAt = -Infinity;

  constructor(private readonly db: Database) {}

  /** Milliseconds until a waiting job is due or a lease ends: 0 or less = overdue, null = nothing waits. */
  async msUntilJob(): Promise<number | null> {
    const { at, job } = await this.ask();
    return job && job - (performance.now() - at);
  }

  /** The same for schedules. */
  async msUntilSchedule(): Promise<number | null> {
    const { at, schedule } = await this.ask();
    return schedule && schedule - (performance.now() - at);
  }

  private ask(): Promise<Answer> {
    if (this.answer && performance.now() - this.askedAt < sharedForMs) return this.answer;
    this.askedAt = performance.now();
    return (this.answer = this.askNow());
  }

  private askNow(): Promise<Answer> {
    return this.db.asSystem('next deadlines', async (tx) => {
      const [job, schedule] = await Promise.all([msUntilNextDeadline(tx), msUntilNextSchedule(tx)]);
      return { at: performance.now(), job, schedule };
    });
  }
}
