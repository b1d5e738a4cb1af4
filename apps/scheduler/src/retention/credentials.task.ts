import { Injectable } from '@nestjs/common';
import { Database, deleteOldCredentialChanges } from '@spooled/data-access';
import type { ScheduledTask } from '@spooled/queue';

/** Deletes credential changes that every cache has seen, and revoked sessions whose tokens have expired. */
@Injectable()
export class CredentialsTask implements ScheduledTask {
  readonly name = 'credentials';
  readonly fullBatch = 10_000;

  constructor(private readonly db: Database) {}

  run(): Promise<number> {
    return this.db.asSystem('retention credentials', (tx) => deleteOldCredentialChanges(tx, this.fullBatch));
  }
}
