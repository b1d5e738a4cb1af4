import { Injectable } from '@nestjs/common';
import { Operations } from '@spooled/queue';
import { Deadlines } from '../tasks/deadlines.js';
import type { DeadlineTask } from '../tasks/scheduled-task.js';

/** Advances replays, purges and other acts on many jobs, each by one bounded step when it is due (BX-06, BX-15). */
@Injectable()
export class OperationsTask implements DeadlineTask {
  readonly name = 'operations';
  // After any step the next deadline is read at once: it may be a few milliseconds away.
  readonly fullBatch = 1;

  constructor(
    private readonly operations: Operations,
    private readonly deadlines: Deadlines,
  ) {}

  msUntilDue(): Promise<number | null> {
    return this.deadlines.msUntilOperation();
  }

  run(stopping: AbortSignal): Promise<number> {
    return this.operations.advance(20, stopping);
  }
}
