import { Injectable } from '@nestjs/common';
import { Maintenance } from '@spooled/queue';
import type { ScheduledTask } from '../tasks/scheduled-task.js';

/** Safety net for dependencies, which are normally resolved when their parent ends (SP-33, SP-51). */
@Injectable()
export class DependenciesTask implements ScheduledTask {
  readonly name = 'dependencies';
  readonly fullBatch = 500;

  constructor(private readonly maintenance: Maintenance) {}

  run(): Promise<number> {
    return this.maintenance.resolveOrphanedDependents(this.fullBatch);
  }
}
