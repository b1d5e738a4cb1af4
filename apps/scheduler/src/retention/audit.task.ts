import { Inject, Injectable } from '@nestjs/common';
import { Database, deleteOldRecords } from '@spooled/data-access';
import { SETTINGS } from '@spooled/platform';
import type { SchedulerSettings } from '../scheduler.config.js';
import type { ScheduledTask } from '@spooled/queue';

/** How long the progress of an ended operation can be read. What it did is in the audit log. */
const operationDays = 90;

/** Deletes old rows of the audit log, which only this task may delete, and operations that ended long ago. */
@Injectable()
export class AuditTask implements ScheduledTask {
  readonly name = 'audit';
  readonly fullBatch = 10_000;

  constructor(
    private readonly db: Database,
    @Inject(SETTINGS) private readonly settings: Pick<SchedulerSettings, 'AUDIT_RETENTION_DAYS'>,
  ) {}

  run(): Promise<number> {
    const kept = { auditDays: this.settings.AUDIT_RETENTION_DAYS, operationDays, limit: this.fullBatch };
    return this.db.asSystem('retention audit', (tx) => deleteOldRecords(tx, kept), { timeoutMs: 'none' });
  }
}
