import type pg from 'pg';
import type { FunctionFile } from './function-files.js';
import { describeError, FunctionError } from './migration-error.js';
import findInstalledFunctions from '../database/find-installed-functions.sql';
import { buildVersion } from './database-release.js';
import findDefinitions from './find-definitions.sql';

const invalidDefinition = '42P13';
const newVersion = 'a changed signature needs a name with a new version';

/**
 * Installs the functions whose file differs from the installed version, and records them, in the caller's transaction.
 * Running services call the previous definition until it commits.
 *
 * @returns the names of the installed functions
 * @throws FunctionError
 */
export async function installFunctions(client: pg.Client, functions: FunctionFile[]): Promise<string[]> {
  if (functions.length === 0) return [];
  const { rows } = await client.query<{ name: string; exists: boolean; checksum: string | null }>(
    findInstalledFunctions,
    [functions.map(({ name }) => name)],
  );
  // One that was dropped by hand is installed again.
  const installed = new Map(rows.map(({ name, exists, checksum }) => [name, exists ? checksum : null]));
  const changed = functions.filter(({ name, checksum }) => installed.get(name) !== checksum);
  for (const file of changed) await install(client, file);
  await checkDefinitions(client, changed);
  await record(client, changed);
  return changed.map(({ name }) => name);
}

async function install(client: pg.Client, file: FunctionFile): Promise<void> {
  try {
    await client.query(file.sql);
  } catch (error) {
    const hint = (error as pg.DatabaseError).code === invalidDefinition ? `; ${newVersion}` : '';
    throw new FunctionError(file, `failed: ${describeError(error, file.sql)}${hint}`, error);
  }
}

/** CREATE OR REPLACE with different parameters adds an overload, which makes calls ambiguous. */
async function checkDefinitions(client: pg.Client, changed: FunctionFile[]): Promise<void> {
  const { rows } = await client.query<{ name: string; definitions: number }>(findDefinitions, [
    changed.map(({ name }) => name),
  ]);
  const definitions = new Map(rows.map((row) => [row.name, row.definitions]));
  for (const file of changed) {
    if (definitions.get(file.name) !== 1) {
      throw new FunctionError(file, `has different parameters from the installed function; ${newVersion}`);
    }
  }
}

async function record(client: pg.Client, changed: FunctionFile[]): Promise<void> {
  await client.query(
    `INSERT INTO repeatable_migrations (name, checksum, release) SELECT *, $3 FROM unnest($1::text[], $2::text[])
     ON CONFLICT (name)
       DO UPDATE SET checksum = excluded.checksum, release = excluded.release, installed_at = excluded.installed_at`,
    [changed.map(({ name }) => name), changed.map(({ checksum }) => checksum), buildVersion],
  );
}
