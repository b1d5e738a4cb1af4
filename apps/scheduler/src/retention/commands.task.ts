import { Injectable } from '@nestjs/common';
import { Maintenance } from '@spooled/queue';
import type { ScheduledTask } from '../tasks/scheduled-task.js';

/** Deletes command records after the few minutes in which a command may be redelivered. */
@Injectable()
export class CommandsTask implements ScheduledTask {
  readonly name = 'commands';
  readonly fullBatch = 10_000;

  constructor(private readonly maintenance: Maintenance) {}

  run(): Promise<number> {
    return this.maintenance.deleteOldCommands(this.fullBatch);
  }
}
