import { Injectable } from '@nestjs/common';
import { Maintenance } from '@spooled/queue';
import { Deadlines } from '../tasks/deadlines.js';
import type { DeadlineTask } from '../tasks/scheduled-task.js';

/** Makes scheduled and retried jobs claimable when they are due (SP-24, SP-31). */
@Injectable()
export class DueJobsTask implements DeadlineTask {
  readonly name = 'due-jobs';
  readonly fullBatch = 1_000;

  constructor(
    private readonly maintenance: Maintenance,
    private readonly deadlines: Deadlines,
  ) {}

  msUntilDue(): Promise<number | null> {
    return this.deadlines.msUntilJob();
  }

  run(): Promise<number> {
    return this.maintenance.activateDue(this.fullBatch);
  }
}
