import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fingerprintOf } from '@spooled/data-access';
import pg from 'pg';
import { releaseSources } from '../database-release.js';
import { migrate } from '../migrate.js';

/** A database of its own for one test or file of tests. */
export interface TemporaryDatabase {
  url: string;
  /** Ends its connections and drops it. */
  drop(): Promise<void>;
}

/** The template is in use, for example by autovacuum or by another process that copies it. */
const objectInUse = '55006';

/**
 * Copies a template with the tables of this release, which the first call on a server makes (about a second; copies 50 ms).
 * @param serverUrl any database of the server, by a role that may create databases, and roles unless those of Spooled exist
 */
export async function createTemporaryDatabase(serverUrl: string): Promise<TemporaryDatabase> {
  const template = `spooled_tests_template_${fingerprintOf(releaseSources())}`;
  const name = `spooled_test_${randomBytes(8).toString('hex')}`;
  await onServer(serverUrl, async (client) => {
    await ensureTemplate(client, serverUrl, template);
    await copy(client, template, name);
  });
  const drop = async (client: pg.Client) => void (await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  return { url: urlOf(serverUrl, name), drop: () => onServer(serverUrl, drop) };
}

/** The name appears when the template is complete. */
async function ensureTemplate(client: pg.Client, serverUrl: string, template: string): Promise<void> {
  const exists = async () => {
    const { rows } = await client.query('SELECT FROM pg_database WHERE datname = $1', [template]);
    return rows.length > 0;
  };
  if (await exists()) return;
  // Released at the end of the session.
  await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [template]);
  if (await exists()) return;
  const building = `${template}_building`;
  await client.query(`DROP DATABASE IF EXISTS ${building} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${building} TEMPLATE template0`);
  await migrate({ adminUrl: urlOf(serverUrl, building), grantRoles: true });
  await client.query(`ALTER DATABASE ${building} RENAME TO ${template}`);
}

async function copy(client: pg.Client, template: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
      return;
    } catch (error) {
      if ((error as pg.DatabaseError).code !== objectInUse || attempt === 50) throw error;
      await sleep(100);
    }
  }
}

async function onServer(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'spooled-testing' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
