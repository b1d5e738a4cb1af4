import { Injectable } from '@nestjs/common';
import { Maintenance } from '@spooled/queue';
import type { ScheduledTask } from '../tasks/scheduled-task.js';

/** Merges the counters of hours that dashboards no longer show. */
@Injectable()
export class CountersTask implements ScheduledTask {
  readonly name = 'counters';
  readonly fullBatch = 10_000;

  constructor(private readonly maintenance: Maintenance) {}

  run(): Promise<number> {
    return this.maintenance.mergeOldStats(this.fullBatch);
  }
}
