import { Injectable } from '@nestjs/common';
import { Database, deleteOldCredentialChanges } from '@spooled/data-access';
import type { ScheduledTask } from '../tasks/scheduled-task.js';

/** Removes changes of credentials that nothing cached can have missed, and ends of sessions whose tokens have ended. */
@Injectable()
export class CredentialsTask implements ScheduledTask {
  readonly name = 'credentials';
  readonly intervalMs = 600_000;
  readonly fullBatch = 10_000;

  constructor(private readonly db: Database) {}

  run(): Promise<number> {
    return this.db.asSystem('retention credentials', (tx) => deleteOldCredentialChanges(tx, this.fullBatch));
  }
}
