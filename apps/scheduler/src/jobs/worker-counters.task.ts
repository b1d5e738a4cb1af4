import { Injectable } from '@nestjs/common';
import { Maintenance } from '@spooled/queue';
import type { ScheduledTask } from '../tasks/scheduled-task.js';

/** Adds what batches have counted to the counters of workers, so that reads of workers have few rows to add up. */
@Injectable()
export class WorkerCountersTask implements ScheduledTask {
  readonly name = 'worker-counters';
  readonly fullBatch = 5_000;

  constructor(private readonly maintenance: Maintenance) {}

  run(): Promise<number> {
    return this.maintenance.mergeWorkerCounts(this.fullBatch);
  }
}
