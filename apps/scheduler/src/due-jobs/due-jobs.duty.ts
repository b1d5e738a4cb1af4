import { Injectable } from '@nestjs/common';
import { Maintenance } from '@spooled/queue';
import type { ArmedDuty } from '../duties/duty.js';

/** Makes scheduled and retried jobs claimable when their moment has come (SP-24, SP-31). */
@Injectable()
export class DueJobsDuty implements ArmedDuty {
  readonly name = 'due-jobs';
  readonly intervalMs = 500;
  readonly sweepMs = 5_000;
  readonly fullBatch = 1_000;

  constructor(private readonly maintenance: Maintenance) {}

  msUntilDue(): Promise<number | null> {
    return this.maintenance.msUntilNextDeadline();
  }

  run(): Promise<number> {
    return this.maintenance.activateDue(this.fullBatch);
  }
}
