import { Injectable } from '@nestjs/common';
import { Maintenance } from '@spooled/queue';
import { Deadlines } from '../tasks/deadlines.js';
import type { DeadlineTask } from '../tasks/scheduled-task.js';

/**
 * Recovers jobs whose lease has expired. Runs when the next lease expires, so that a job is claimable again within 1 s
 * (BX-02, KF-23); a sweep every 30 s is the safety net (SP-42, KF-14).
 */
@Injectable()
export class LeaseRecoveryTask implements DeadlineTask {
  readonly name = 'lease-recovery';
  readonly fullBatch = 500;

  constructor(
    private readonly maintenance: Maintenance,
    private readonly deadlines: Deadlines,
  ) {}

  msUntilDue(): Promise<number | null> {
    return this.deadlines.msUntilJob();
  }

  run(): Promise<number> {
    return this.maintenance.recoverExpiredLeases(this.fullBatch);
  }
}
