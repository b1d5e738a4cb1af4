import { join } from 'node:path';
import { postgresUrlProblem, redisProblem, StartError } from '@spooled/domain';
import { Redis } from 'ioredis';
import { connected, startPostgres } from './embedded-postgres.js';
import type { LocalSettings } from './local-settings.js';
import { findRedisProgram, installRedisProgram, startRedis } from './redis.js';
import type { ProcessIdentity } from './processes.js';
import type { Secrets } from './secrets.js';
import type { RunningStore } from './store-process.js';

/** A PostgreSQL or Redis that the launcher starts or only uses. */
export interface Provided<Urls> {
  urls: Urls;
  /** Description for the summary. */
  described: string;
  /** The server, if the launcher started it. */
  process?: ProcessIdentity;
  /** Restarts it after a crash; only if the launcher started it. */
  restart?(): Promise<RunningStore>;
  stop(): Promise<void>;
}

export interface DatabaseUrls {
  /** Owner; used only by migrations. */
  owner: string;
  /** The setting that holds `owner`, if the caller provides it. */
  ownerSetting?: string;
  app: string;
  system: string;
  /** Passwords for the migration to set; none if the caller provides addresses for all roles. */
  passwords?: { app: string; system: string };
}

const ownerRole = 'spooled_owner';
const databaseName = 'spooled';
const nothingToStop = async (): Promise<void> => undefined;

/**
 * Addresses of the three roles on the caller's server, or null if there is none. DATABASE_DIRECT_URL (owner), DATABASE_URL
 * (spooled_app) and DATABASE_SYSTEM_URL together are used unchanged; DATABASE_URL alone is the owner's, and the two service
 * roles are created.
 * @throws StartError for an address that is none of PostgreSQL
 */
export function externalDatabase(env: NodeJS.ProcessEnv, secrets: Secrets): Provided<DatabaseUrls> | null {
  const { DATABASE_URL: url, DATABASE_SYSTEM_URL: system, DATABASE_DIRECT_URL: owner } = env;
  if (!url) return null;
  for (const [setting, given] of Object.entries({ DATABASE_URL: url, DATABASE_DIRECT_URL: owner })) {
    const problem = given ? postgresUrlProblem({ setting, url: given }) : null;
    if (problem) throw new StartError(problem);
  }
  const described = `PostgreSQL at ${new URL(url).host} (DATABASE_URL)`;
  const ownerSetting = owner ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
  const urls = owner && system ? { owner, app: url, system } : derivedUrls(owner || url, secrets);
  return { urls: { ...urls, ownerSetting }, described, stop: nothingToStop };
}

/** The embedded server; creates an owner that is not a superuser and an empty database if they do not exist. */
export async function embeddedDatabase(
  { dataDir, postgresSettings }: Pick<LocalSettings, 'dataDir' | 'postgresSettings'>,
  secrets: Secrets,
  say: (line: string) => void,
): Promise<Provided<DatabaseUrls>> {
  const options = { folder: dataDir, password: secrets.postgresPassword, settings: postgresSettings, say };
  const server = await startPostgres(options);
  try {
    await createDatabase(server.url, secrets.ownerPassword);
  } catch (error) {
    await server.stop();
    throw error;
  }
  const owner = new URL(server.url);
  owner.username = ownerRole;
  owner.password = secrets.ownerPassword;
  owner.pathname = `/${databaseName}`;
  return {
    urls: derivedUrls(owner.href, secrets),
    described: `PostgreSQL 18 on 127.0.0.1:${server.port}`,
    process: server.process,
    restart: () => startPostgres({ ...options, port: server.port }),
    stop: () => server.stop(),
  };
}

function derivedUrls(owner: string, { appPassword, systemPassword }: Secrets): DatabaseUrls {
  const as = (username: string, password: string): string => Object.assign(new URL(owner), { username, password }).href;
  return {
    owner,
    app: as('spooled_app', appPassword),
    system: as('spooled_system', systemPassword),
    passwords: { app: appPassword, system: systemPassword },
  };
}

async function createDatabase(superuserUrl: string, ownerPassword: string): Promise<void> {
  await connected(superuserUrl, async (client) => {
    const role = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [ownerRole]);
    if (!role.rowCount) {
      await client.query(`CREATE ROLE ${ownerRole} LOGIN CREATEROLE PASSWORD ${client.escapeLiteral(ownerPassword)}`);
    }
    const database = await client.query('SELECT FROM pg_database WHERE datname = $1', [databaseName]);
    if (!database.rowCount) await client.query(`CREATE DATABASE ${databaseName} OWNER ${ownerRole}`);
  });
  // The migration would, but only a superuser may.
  const largeObjects = 'lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea)';
  await connected(Object.assign(new URL(superuserUrl), { pathname: `/${databaseName}` }).href, (client) =>
    client.query(`REVOKE EXECUTE ON FUNCTION ${largeObjects} FROM PUBLIC`),
  );
}

/** Services would wait for a Redis that is away. The services check other forms of the address, such as that of a Sentinel. */
async function requireRedis(url: string): Promise<void> {
  if (!/^rediss?:$/.test(URL.parse(url)?.protocol ?? '')) return;
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 5_000 });
  // `connect` says only that the connection was closed.
  let reason: Error | undefined;
  client.on('error', (error: Error) => (reason ??= error));
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    throw new StartError(redisProblem(reason ?? (error as Error), { setting: 'REDIS_URL', url }), error);
  } finally {
    client.disconnect();
  }
}

/** REDIS_URL, otherwise an own server, otherwise none: the services then use the direct path. */
export async function provideRedis(
  dataDir: string,
  env: NodeJS.ProcessEnv,
  secrets: Secrets,
  say: (line: string) => void,
): Promise<Provided<string | null>> {
  if (env.REDIS_URL) {
    await requireRedis(env.REDIS_URL);
    return { urls: env.REDIS_URL, described: 'Redis (REDIS_URL)', stop: nothingToStop };
  }
  const program = findRedisProgram() ?? installRedisProgram(say);
  if (!program) {
    say('NO REDIS: neither redis-server nor valkey-server is on the PATH, and REDIS_URL is not set.');
    say('Jobs use the direct path; live events and outgoing webhooks need Redis.');
    return { urls: null, described: 'none', stop: nothingToStop };
  }
  const options = { program, folder: join(dataDir, 'redis'), password: secrets.redisPassword, say };
  const server = await startRedis(options);
  return {
    urls: server.url,
    described: `Redis on 127.0.0.1:${server.port}`,
    process: server.process,
    restart: () => startRedis({ ...options, port: server.port }),
    stop: () => server.stop(),
  };
}
