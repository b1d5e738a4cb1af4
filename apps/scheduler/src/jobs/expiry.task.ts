import { Injectable } from '@nestjs/common';
import { Maintenance } from '@spooled/queue';
import type { ScheduledTask } from '../tasks/scheduled-task.js';

/** Ends jobs whose `expires_at` passed before a worker took them. They are unclaimable from that moment on in any case. */
@Injectable()
export class ExpiryTask implements ScheduledTask {
  readonly name = 'expiry';
  readonly intervalMs = 5_000;
  readonly fullBatch = 500;

  constructor(private readonly maintenance: Maintenance) {}

  run(): Promise<number> {
    return this.maintenance.expireJobs(this.fullBatch);
  }
}
