import { once } from 'node:events';
import pg from 'pg';
import { secondLoginOf, type ServiceRole } from './installation.js';

export interface PoolSettings {
  url: string;
  /** The role that statements must run as: the login itself, or a role that it may switch to. */
  role: ServiceRole;
  /** The schema of the installation. */
  schema: string;
  applicationName: string;
  maxConnections: number;
  minConnections: number;
  /** How long a caller waits for a free connection. */
  acquireTimeoutMs: number;
  /** Longest wait for a response of PostgreSQL, also during login. After that the connection is closed. */
  queryTimeoutMs: number;
  onError(error: Error): void;
}

const jsonOid = 114;
const bigintOid = 20;
const timestamptzOid = 1184;
const dateOid = 1082;

/** `json` stays text, because payloads are passed on unchanged; bigint counters fit a double; timestamps become RFC 3339. */
const parsers = new Map<number, (text: string) => unknown>([
  [jsonOid, (text) => text],
  [bigintOid, Number],
  [dateOid, (text) => text],
  [timestamptzOid, isoTimestamp],
]);

/** How values of rows are read. */
export const typesOfRows: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ?? pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

/** PostgreSQL's `2026-11-21 11:00:00.123456+00` as RFC 3339, with all six digits: cursors compare them. */
function isoTimestamp(text: string): string {
  if (text.endsWith('+00')) return `${text.slice(0, 10)}T${text.slice(11, -3)}Z`;
  return new Date(text).toISOString();
}

/**
 * A client with its own error listener. Between login and checkout the pool has none, and an error event without a listener
 * would crash the process. The next statement on the connection fails.
 */
class GuardedClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    // The query timeout limits opening a connection; waiting for a free one may take longer.
    super({ ...config, connectionTimeoutMillis: config?.query_timeout });
    this.on('error', () => undefined);
  }
}

/** A dead peer on an idle connection is detected after this and ten probes, one per second. */
const keepAliveDelayMs = 5_000;

/** A connection is replaced after this time, so that connections spread over new poolers and standbys after a rollout or a failover. */
const maxLifetimeSeconds = 300;

/** Longest wait for PostgreSQL to end the sessions of a pool that closes. */
const endMs = 1_000;

const idleClients = new WeakMap<pg.Pool, Set<pg.PoolClient>>();
const openClients = new WeakMap<pg.Pool, Set<pg.PoolClient>>();

/** A pool of pipelining connections: statements of a transaction are sent without waiting for the previous response. */
export function createPool(settings: PoolSettings): pg.Pool {
  const config: pg.PoolConfig & { pipeline: boolean } = {
    ...connectionConfig(settings),
    max: settings.maxConnections,
    min: settings.minConnections,
    connectionTimeoutMillis: settings.acquireTimeoutMs,
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds,
    pipeline: true,
    Client: GuardedClient,
    types: typesOfRows,
  };
  const pool = new pg.Pool(config);
  pool.on('error', (error: Error & { client?: unknown }) => {
    // pg adds its client, which has the secret that cancels its statements, and would be logged whole.
    delete error.client;
    settings.onError(error);
  });
  idleClients.set(pool, trackIdle(pool));
  openClients.set(pool, trackOpen(pool));
  return pool;
}

/**
 * Waits for transactions in flight, then until PostgreSQL has ended the sessions, at most a second: pg's own `end` resolves before, so
 * that the database could not be dropped yet. Errors of connections that end anyway are not reported.
 */
export async function closePool(pool: pg.Pool): Promise<void> {
  pool.removeAllListeners('error').on('error', () => undefined);
  await pool.end();
  const signal = AbortSignal.timeout(endMs);
  const ended = [...(openClients.get(pool) ?? [])].map(({ connection }) =>
    once(connection, 'end', { signal }).catch(() => connection.stream.destroy()),
  );
  await Promise.all(ended);
}

/** How one connection is opened and checked. */
export function connectionConfig(
  settings: Pick<PoolSettings, 'url' | 'role' | 'schema' | 'applicationName' | 'queryTimeoutMs'>,
): pg.ClientConfig {
  const login = decodeURIComponent(new URL(settings.url).username);
  return {
    connectionString: settings.url,
    application_name: settings.applicationName,
    query_timeout: settings.queryTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    // Omitted when the login is the role, or PostgreSQL switches it: PgBouncer rejects unknown startup options. Such a login has the
    // search path and the time zone of the role.
    ...([settings.role, secondLoginOf(settings.role)].includes(login)
      ? {}
      : { options: `-c role=${settings.role} -c search_path=${settings.schema} -c timezone=UTC` }),
  };
}

function trackIdle(pool: pg.Pool): Set<pg.PoolClient> {
  const idle = new Set<pg.PoolClient>();
  pool.on('release', (_, client) => idle.add(client));
  for (const event of ['acquire', 'remove'] as const) pool.on(event, (client) => idle.delete(client));
  return idle;
}

function trackOpen(pool: pg.Pool): Set<pg.PoolClient> {
  const open = new Set<pg.PoolClient>();
  pool.on('connect', (client) => {
    open.add(client);
    client.connection.once('end', () => open.delete(client));
  });
  return open;
}

/** Closes the idle connections without checking them: when one stopped responding, the others may have too. */
export function closeIdle(pool: pg.Pool): void {
  for (const client of [...(idleClients.get(pool) ?? [])]) {
    // The pool removes a client at its error event; a Terminate message could not be delivered.
    client.emit('error', new Error('Closed because another connection stopped responding'));
    client.connection.stream.destroy();
  }
}
