import { databaseSources, type DatabaseSources, fingerprintOf, migrate } from '@spooled/data-access';
import { startPostgres } from '@spooled/local';
import pg from 'pg';
import { createServerFolder, fastestFolder } from './server-folder.js';
import { databaseUrl, ownerRole, roleUrl, rolePasswords, serverUrlName, templateName } from './test-server-env.js';

/** Databases of killed runs are dropped by a later run on the same server when they are older than this. */
const strayAfterSeconds = 2 * 3600;

/**
 * Provides the PostgreSQL of one test run and a migrated template database, and passes both to the Jest workers by
 * environment. `SPOOLED_TEST_DATABASE_URL` (a superuser's) names a running server to use instead of a new one.
 *
 * @returns the function that gives everything back
 */
export async function startTestServer(root: string): Promise<() => Promise<void>> {
  const external = process.env[serverUrlName];
  const stop = external ? async () => undefined : await startOwnServer();
  try {
    process.env[templateName] = await ensureTemplate(process.env[serverUrlName] as string, root);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

async function startOwnServer(): Promise<() => Promise<void>> {
  const { folder, remove } = createServerFolder('spooled-test-', { parent: fastestFolder() });
  const server = await startPostgres({
    folder,
    password: 'postgres',
    durable: false,
    settings: {
      // Several stacks, and the pools of each worker.
      max_connections: 1000,
      // Old parts of the log would otherwise be kept in memory.
      max_wal_size: '512MB',
      // With 4096, the default, each new connection costs its client 1 to 2 ms more of CPU.
      scram_iterations: 1,
    },
  });
  process.env[serverUrlName] = server.url;
  return async () => {
    delete process.env[serverUrlName];
    await server.stop();
    remove();
  };
}

/** The template's name is a hash of its content, so a changed migration or function creates a new one, and parallel runs share it. */
async function ensureTemplate(serverUrl: string, root: string): Promise<string> {
  const sources = databaseSources(root);
  const name = `spooled_template_${fingerprintOf(sources)}`;
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock(hashtext('spooled test template'))");
    await ensureOwner(client);
    await dropStrays(client);
    const { rows } = await client.query<{ ready: boolean }>(
      'SELECT NOT datallowconn AS ready FROM pg_database WHERE datname = $1',
      [name],
    );
    if (!rows[0]?.ready) await createTemplate(client, serverUrl, name, sources);
    return name;
  } finally {
    await client.end();
  }
}

async function createTemplate(
  client: pg.Client,
  serverUrl: string,
  name: string,
  sources: DatabaseSources,
): Promise<void> {
  await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${name} OWNER ${ownerRole}`);
  const { app: appPassword, system: systemPassword } = rolePasswords;
  const ownerUrl = roleUrl(databaseUrl(serverUrl, name), 'owner');
  await migrate(ownerUrl, { ...sources, appPassword, systemPassword });
  // A template with open connections cannot be cloned. This also marks it as complete.
  await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
}

/** Migrations run as a plain owner, as in production: a superuser would hide a missing grant or policy. */
async function ensureOwner(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ rolname: string }>(
    "SELECT rolname FROM pg_roles WHERE rolname LIKE 'spooled\\_%'",
  );
  const existing = new Set(rows.map(({ rolname }) => rolname));
  if (!existing.has(ownerRole)) {
    await client.query(`CREATE ROLE ${ownerRole} LOGIN CREATEROLE PASSWORD '${rolePasswords.owner}'`);
  }
  // Roles that were created by another user cannot be altered without this grant.
  for (const role of ['spooled_app', 'spooled_system'].filter((name) => existing.has(name))) {
    await client.query(`GRANT ${role} TO ${ownerRole} WITH ADMIN TRUE, INHERIT FALSE, SET FALSE`);
  }
}

async function dropStrays(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    "SELECT datname FROM pg_database WHERE datname LIKE 'spooled\\_test\\_%'",
  );
  const oldest = Math.floor(Date.now() / 1000) - strayAfterSeconds;
  for (const { datname } of rows) {
    if (parseInt(datname.split('_')[2] ?? '', 36) < oldest)
      await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  }
}
