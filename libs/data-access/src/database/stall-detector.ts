import { systemClock } from '@spooled/clock';
import type { Clock } from '@spooled/domain';
/** Detects that PostgreSQL answers none of the transactions of this process. */
export class StallDetector {
  private inProgress = 0;
  private since = 0;

  constructor(private readonly clock: Clock = systemClock) {}

  /** @returns a function to call at the end of the transaction; `answered` = PostgreSQL committed or rejected it */
  begin(): (answered: boolean) => void {
    if (this.inProgress++ === 0) this.since = this.clock.monotonic();
    return (answered) => {
      this.inProgress--;
      if (answered) this.since = this.clock.monotonic();
    };
  }

  /** Milliseconds without an answer while transactions are in progress; 0 when there are none. */
  get stalledMs(): number {
    return this.inProgress > 0 ? this.clock.monotonic() - this.since : 0;
  }
}
