import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import ledgerTable from './create-ledger.sql';
import { explain, MigrationError } from './migration-error.js';
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

/** What was applied, or begun, by name; entries that an operator marked as rolled back do not count. */
export async function readLedger(client: pg.Client): Promise<Map<string, LedgerEntry>> {
  const { rows } = await client.query<LedgerEntry>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished, logs
       FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  return new Map(rows.map((row) => [row.name, row]));
}

/**
 * Runs one migration and records it. In a transaction both happen or neither, so a failed file can be corrected and run
 * again. Outside one, the record is written first and stays open on failure, which stops later runs until an operator
 * has looked (`prisma migrate resolve`).
 *
 * @param afterwards runs in the same transaction; not for a migration outside of one
 * @throws MigrationError, or what `afterwards` throws
 */
export async function applyMigration<T>(
  client: pg.Client,
  migration: Migration,
  afterwards?: () => Promise<T>,
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
      throw new MigrationError(migration.name, `failed: ${explain(error, migration.sql)}`, error);
    });
    await client.query(
      'UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1',
      [id],
    );
    const result = await afterwards?.();
    if (migration.inTransaction) await client.query('COMMIT');
    return result;
  } catch (error) {
    await noteFailure(client, id, migration, error);
    throw error;
  }
}

async function noteFailure(client: pg.Client, id: string, { inTransaction }: Migration, error: unknown): Promise<void> {
  try {
    if (inTransaction) await client.query('ROLLBACK');
    else await client.query('UPDATE _prisma_migrations SET logs = $2 WHERE id = $1', [id, String(error)]);
  } catch {
    // The connection is gone: the server rolls back by itself, and the first error is the one to report.
  }
}
