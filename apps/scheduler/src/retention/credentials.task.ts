import { Injectable } from '@nestjs/common';
import { Database, deleteOldCredentialChanges } from '@spooled/data-access';
import type { ScheduledTask } from '@spooled/queue';

/** Deletes credential changes that every cache has seen, revoked sessions whose tokens have expired, and what has expired of the console. */
@Injectable()
export class CredentialsTask implements ScheduledTask {
  readonly name = 'credentials';
  readonly fullBatch = 10_000;

  constructor(private readonly db: Database) {}

  run(): Promise<number> {
    return this.db.asSystem('retention credentials', (tx) => deleteOldCredentialChanges(tx, this.fullBatch));
  }
}
