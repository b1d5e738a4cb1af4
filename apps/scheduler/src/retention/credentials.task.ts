import { Injectable } from '@nestjs/common';
import { Database, deleteOldCredentialChanges } from '@spooled/data-access';
import type { ScheduledTask } from '@spooled/queue';

/** Deletes old credential changes, expired revoked sessions, and expired sessions and links of the console. */
@Injectable()
export class CredentialsTask implements ScheduledTask {
  readonly name = 'credentials';
  readonly fullBatch = 10_000;

  constructor(private readonly db: Database) {}

  run(): Promise<number> {
    return this.db.asSystem('retention credentials', (tx) => deleteOldCredentialChanges(tx, this.fullBatch));
  }
}
