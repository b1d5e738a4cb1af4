import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { closeKeptConnections, onKeptConnection } from './kept-connections.js';
import { databaseUrl, ownerRole, roleUrl, serverUrlName, templateName } from './test-server-env.js';

export interface TestDatabase {
  name: string;
  /** Role `spooled_app`: row-level security applies. */
  appUrl: string;
  /** Role `spooled_system`: maintenance across tenants. */
  systemUrl: string;
  /** Owner of the tables, no superuser. */
  ownerUrl: string;
  /** Superuser: reads catalogues, terminates connections, and sees every row. */
  superuserUrl: string;
  /** Terminates open connections and drops the database. */
  drop(): Promise<void>;
}

/** Creates a database with all migrations applied (about 50 ms). With `empty` it has none. Call `drop` in `afterAll`. */
export async function createTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const url = serverUrl();
  const name = `spooled_test_${Math.floor(Date.now() / 1000).toString(36)}_${randomBytes(5).toString('hex')}`;
  await onKeptConnection(url, (client) => create(client, name, empty ? 'template0' : required(templateName)));
  const superuserUrl = databaseUrl(url, name);
  const ownerUrl = roleUrl(superuserUrl, 'owner');
  return {
    name,
    appUrl: roleUrl(superuserUrl, 'app'),
    systemUrl: roleUrl(superuserUrl, 'system'),
    ownerUrl,
    superuserUrl,
    drop: async () => {
      await closeKeptConnections(superuserUrl, ownerUrl);
      await onKeptConnection(url, async (client) => {
        await sessionsEnded(client, name);
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      });
    },
  };
}

async function create(client: pg.ClientBase, name: string, template: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      // By default each page is copied through the log, which takes PostgreSQL about three times as long.
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY OWNER ${ownerRole}`);
      // Database privileges are not copied from the template; the migration revokes this one.
      if (template !== 'template0') await client.query(`REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
      return;
    } catch (error) {
      // 55006: the template is in use, for example by autovacuum.
      if ((error as pg.DatabaseError).code !== '55006' || attempt === 50) throw error;
      await sleep(100);
    }
  }
}

/**
 * Waits a moment for the sessions of a database to end. pg says that a connection has ended before PostgreSQL has ended its session; the
 * drop would terminate it, and the error that it sends then fails whatever test runs.
 */
async function sessionsEnded(client: pg.ClientBase, name: string): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const { rows } = await client.query('SELECT FROM pg_stat_activity WHERE datname = $1 LIMIT 1', [name]);
    if (rows.length === 0) return;
    await sleep(10);
  }
}

/** The server for tests, as its superuser. */
export const serverUrl = (): string => required(serverUrlName);

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run this spec in the Jest project "stores" or "e2e"`);
  return value;
}
