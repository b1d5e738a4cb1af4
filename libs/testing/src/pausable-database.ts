import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseSources, migrate } from '@spooled/data-access';
import { startPostgres } from '@spooled/local';
import pg from 'pg';
import type { TestDatabase } from './test-database.js';
import { databaseUrl, ownerRole, rolePasswords, roleUrl } from './test-server-env.js';

export interface PausableDatabase extends TestDatabase {
  /** Pauses every process of the server (SIGSTOP): connections stay open, the kernel accepts new ones, nothing responds. */
  pause(): void;
  resume(): void;
}

/** A migrated database on a separate server, so that a pause does not affect other specs. Linux only. Call `drop` in `afterAll`. */
export async function startPausableDatabase(): Promise<PausableDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'spooled-pausable-'));
  // As root the server runs under another account, which needs access to this folder.
  chmodSync(folder, 0o755);
  const server = await startPostgres({ folder, password: 'postgres', durable: false });
  const name = 'spooled';
  await createDatabase(server.url, name);
  const superuserUrl = databaseUrl(server.url, name);
  const urls = {
    appUrl: roleUrl(superuserUrl, 'app'),
    systemUrl: roleUrl(superuserUrl, 'system'),
    ownerUrl: roleUrl(superuserUrl, 'owner'),
  };
  const { app: appPassword, system: systemPassword } = rolePasswords;
  await migrate(urls.ownerUrl, { ...databaseSources(process.cwd()), appPassword, systemPassword });
  const signal = (name: 'SIGSTOP' | 'SIGCONT') =>
    [server.process.pid, ...childrenOf(server.process.pid)].forEach((pid) => process.kill(pid, name));
  return {
    name,
    superuserUrl,
    ...urls,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    drop: async () => {
      signal('SIGCONT');
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

async function createDatabase(serverUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`CREATE ROLE ${ownerRole} LOGIN CREATEROLE PASSWORD '${rolePasswords.owner}'`);
    await client.query(`CREATE DATABASE ${name} OWNER ${ownerRole}`);
  } finally {
    await client.end();
  }
}

/** Each backend leads its own process group, so a signal to the server's group does not reach it. */
function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && parentOf(pid) === parent);
}

function parentOf(pid: number): number | undefined {
  try {
    // The name in field 2 may contain spaces and parentheses, so fields are counted after its closing parenthesis.
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    );
  } catch {
    return undefined;
  }
}
