import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

/** Beside it the caller continues: it may also be a proxy and a load. */
const run = promisify(execFile);

export interface ServerCopy {
  /** Folder of the running server, as `startPostgres` has it. */
  from: string;
  /** New folder for another one. */
  to: string;
  /** How the copy starts: as a replica, or by replaying an archive. */
  startsAs: 'standby' | 'recovery';
}

/** A base backup: a copy of the files of a running server, between the start and the stop of a backup. */
export async function copyServer(superuserUrl: string, { from, to, startsAs }: ServerCopy): Promise<void> {
  const [source, data] = [join(from, 'postgres'), join(to, 'postgres')];
  mkdirSync(to, { mode: 0o755 });
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('copy', fast => true)`);
    // Temporary files may disappear while they are copied; then cp says so at its end.
    await run('cp', ['-a', source, data]).catch((error: { code?: unknown }) => {
      if (typeof error.code !== 'number') throw error;
    });
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    rmSync(join(data, 'postmaster.pid'), { force: true });
    writeFileSync(join(data, 'backup_label'), rows[0]!.labelfile);
    writeFileSync(join(data, `${startsAs}.signal`), '');
    await run('chown', ['-R', `--reference=${source}`, data]);
  } finally {
    await client.end();
  }
}
