import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres, type StoreServer } from '@spooled/local';
import pg from 'pg';
import { copyServer } from './base-backup.js';
import { eventually } from './eventually.js';
import { createOwnDatabase } from './own-database.js';
import { createServerFolder } from './server-folder.js';
import type { TestDatabase } from './test-database.js';

/** A migrated database on a server of its own, whose log is archived as in production. */
export interface ArchivedDatabase extends TestDatabase {
  /** A base backup of the running server. */
  backUp(): Promise<void>;
  /** Names this moment in the log. */
  mark(name: string): Promise<void>;
  /** Waits until the archive has what was committed so far; then the server and its files are gone. */
  lose(): Promise<void>;
  /** A new server at the same address, from the base backup and the archive, as it was at the mark. */
  restore(mark: string): Promise<void>;
}

export async function startArchivedDatabase(): Promise<ArchivedDatabase> {
  const { folder, remove } = createServerFolder('spooled-archived-');
  const [first, copy, archive] = ['first', 'copy', 'archive'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(archive);
  // The server may run under another account.
  chmodSync(archive, 0o777);
  const start = (from: string, settings: Record<string, string>, port?: number) =>
    startPostgres({ folder: from, password: 'postgres', settings, ...(port && { port }) });
  let server: StoreServer | undefined = await start(first, {
    archive_mode: 'on',
    archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
  });
  const { url: serverUrl, port } = server;
  const urls = await createOwnDatabase(serverUrl);
  const ask = (statement: string, values: unknown[] = []) => askServer(serverUrl, statement, values);
  const archived = async () => {
    const [row] = await ask('SELECT pg_walfile_name(pg_switch_wal()) AS file');
    await eventually(async () => {
      const [last] = await ask('SELECT last_archived_wal AS file FROM pg_stat_archiver');
      expect(String(last!.file) >= String(row!.file)).toBe(true);
    });
  };
  return {
    ...urls,
    backUp: () => copyServer(serverUrl, { from: first, to: copy, startsAs: 'recovery' }),
    mark: async (name) => void (await ask('SELECT pg_create_restore_point($1)', [name])),
    lose: async () => {
      await archived();
      await server!.stop();
      server = undefined;
      rmSync(first, { recursive: true });
    },
    restore: async (mark) => {
      const settings = {
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_name: mark,
        recovery_target_action: 'promote',
      };
      server = await start(copy, settings, port);
      await eventually(async () => expect(await ask('SELECT pg_is_in_recovery() AS yes')).toEqual([{ yes: false }]));
    },
    drop: async () => {
      await server?.stop();
      remove();
    },
  };
}

async function askServer(url: string, statement: string, values: unknown[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement, values)).rows;
  } finally {
    await client.end();
  }
}
