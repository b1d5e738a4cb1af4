import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import ledgerTable from './create-ledger.sql';
import { describeError, MigrationError } from './migration-error.js';
import type { Migration } from './migration-files.js';

export interface LedgerEntry {
  name: string;
  checksum: string;
  finished: boolean;
  logs: string | null;
}

export async function ensureLedger(client: pg.Client): Promise<void> {
  await client.query(ledgerTable);
}

/** Migrations that were applied or started, by name; without those that an operator marked as rolled back. */
export async function readLedger(client: pg.Client): Promise<Map<string, LedgerEntry>> {
  const { rows } = await client.query<LedgerEntry>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished, logs
       FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  return new Map(rows.map((row) => [row.name, row]));
}

/**
 * Runs one migration and records it. In a transaction both are atomic, so a failed file can be corrected and run again.
 * Outside one, the record is written first and stays unfinished on failure, which blocks later runs until an operator
 * resolves it (`prisma migrate resolve`).
 *
 * @param beforeCommit runs in the same transaction; only for a migration that runs in one
 * @throws MigrationError, or what `afterwards` throws
 */
export async function applyMigration<T>(
  client: pg.Client,
  migration: Migration,
  beforeCommit?: () => Promise<T>,
): Promise<T | undefined> {
  const id = randomUUID();
  try {
    if (migration.inTransaction) await client.query('BEGIN');
    await client.query('INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)', [
      id,
      migration.checksum,
      migration.name,
    ]);
    await client.query(migration.sql).catch((error: unknown) => {
      throw new MigrationError(migration.name, `failed: ${describeError(error, migration.sql)}`, error);
    });
    await client.query(
      'UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1',
      [id],
    );
    const result = await beforeCommit?.();
    if (migration.inTransaction) await client.query('COMMIT');
    return result;
  } catch (error) {
    await recordFailure(client, id, migration, error);
    throw error;
  }
}

async function recordFailure(
  client: pg.Client,
  id: string,
  { inTransaction }: Migration,
  error: unknown,
): Promise<void> {
  try {
    if (inTransaction) await client.query('ROLLBACK');
    else await client.query('UPDATE _prisma_migrations SET logs = $2 WHERE id = $1', [id, String(error)]);
  } catch {
    // The connection is lost: the server rolls back, and the first error is reported.
  }
}
