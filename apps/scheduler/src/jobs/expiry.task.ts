import { Injectable } from '@nestjs/common';
import { Maintenance } from '@spooled/queue';
import type { ScheduledTask } from '../tasks/scheduled-task.js';

/** Cancels jobs whose `expires_at` passed before a worker claimed them. They are unclaimable from then on in any case. */
@Injectable()
export class ExpiryTask implements ScheduledTask {
  readonly name = 'expiry';
  readonly fullBatch = 500;

  constructor(private readonly maintenance: Maintenance) {}

  run(): Promise<number> {
    return this.maintenance.expireJobs(this.fullBatch);
  }
}
