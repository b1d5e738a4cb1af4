import { Database, deleteOldCredentialChanges, deleteOldRecords } from '@spooled/data-access';
import type { ScheduledTask } from '@spooled/queue';

const fullBatch = 10_000;
/** How long the progress of an ended operation can be read. What it did is in the audit log. */
const operationDays = 90;

/** Deletes old rows of the audit log, which only this task may delete, and operations that ended long ago. */
export const auditTask = (db: Database, auditDays: number): ScheduledTask => ({
  name: 'audit',
  fullBatch,
  run: () =>
    db.asSystem('retention audit', (tx) => deleteOldRecords(tx, { auditDays, operationDays, limit: fullBatch }), {
      timeoutMs: 'none',
    }),
});

/** Deletes old credential changes, expired revoked sessions, and expired sessions and links of the console. */
export const credentialsTask = (db: Database): ScheduledTask => ({
  name: 'credentials',
  fullBatch,
  run: () => db.asSystem('retention credentials', (tx) => deleteOldCredentialChanges(tx, fullBatch)),
});
