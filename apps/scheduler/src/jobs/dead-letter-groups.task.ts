import { Injectable } from '@nestjs/common';
import { Maintenance } from '@spooled/queue';
import type { ScheduledTask } from '../tasks/scheduled-task.js';

/** Groups the dead letters that a release without groups has left (BX-06); new ones are grouped when they are written. */
@Injectable()
export class DeadLetterGroupsTask implements ScheduledTask {
  readonly name = 'dead-letter-groups';
  readonly fullBatch = 1_000;

  constructor(private readonly maintenance: Maintenance) {}

  run(): Promise<number> {
    return this.maintenance.groupDeadLetters(this.fullBatch);
  }
}
