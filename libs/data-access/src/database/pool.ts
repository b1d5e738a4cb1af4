import pg from 'pg';

export interface PoolSettings {
  url: string;
  /** The role that statements must run as: the login itself, or one that the login may switch to. */
  role: 'spooled_app' | 'spooled_system';
  applicationName: string;
  maxConnections: number;
  minConnections: number;
  /** How long a caller waits for a free connection. */
  acquireTimeoutMs: number;
  /** How long an answer of PostgreSQL may take, to a login as well. A connection that is silent for longer is closed. */
  queryTimeoutMs: number;
  onError(error: Error): void;
}

const jsonOid = 114;
const bigintOid = 20;
const timestamptzOid = 1184;
const dateOid = 1082;

/** `json` stays text, because callers' documents are passed on as they are; bigint counters fit a double; times become ISO 8601. */
const parsers = new Map<number, (text: string) => unknown>([
  [jsonOid, (text) => text],
  [bigintOid, Number],
  [dateOid, (text) => text],
  [timestamptzOid, isoTimestamp],
]);

/** PostgreSQL's `2026-11-21 11:00:00.123456+00` as RFC 3339, all six digits kept: cursors compare them. */
function isoTimestamp(text: string): string {
  if (text.endsWith('+00')) return `${text.slice(0, 10)}T${text.slice(11, -3)}Z`;
  return new Date(text).toISOString();
}

/**
 * A connection whose loss never ends the process. Between login and checkout nobody else listens, and an error event without a
 * listener is an uncaught exception. The loss itself shows in the next statement, which is refused.
 */
class GuardedClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    // A caller may wait longer for a connection that others use than a new one may take to open.
    super({ ...config, connectionTimeoutMillis: config?.query_timeout });
    this.on('error', () => undefined);
  }
}

/** A peer that has vanished while nothing is sent is noticed after this and ten probes, one each second. */
const keepAliveDelayMs = 5_000;

const idleClients = new WeakMap<pg.Pool, Set<pg.PoolClient>>();

/** A pool whose connections pipeline: statements of one transaction travel without waiting for each other's answer. */
export function createPool(settings: PoolSettings): pg.Pool {
  const login = decodeURIComponent(new URL(settings.url).username);
  const config: pg.PoolConfig & { pipeline: boolean } = {
    connectionString: settings.url,
    application_name: settings.applicationName,
    max: settings.maxConnections,
    min: settings.minConnections,
    connectionTimeoutMillis: settings.acquireTimeoutMs,
    idleTimeoutMillis: 60_000,
    query_timeout: settings.queryTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    pipeline: true,
    Client: GuardedClient,
    // Kept out of the way of PgBouncer, which refuses unknown startup options, whenever the login is the role itself.
    ...(login === settings.role ? {} : { options: `-c role=${settings.role}` }),
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        parsers.get(oid) ?? pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
  };
  const pool = new pg.Pool(config);
  pool.on('error', settings.onError);
  idleClients.set(pool, trackIdle(pool));
  return pool;
}

function trackIdle(pool: pg.Pool): Set<pg.PoolClient> {
  const idle = new Set<pg.PoolClient>();
  pool.on('release', (_, client) => idle.add(client));
  for (const event of ['acquire', 'remove'] as const) pool.on(event, (client) => idle.delete(client));
  return idle;
}

/** Closes the connections that nobody uses, without asking them: one that was silent makes all of its age suspect. */
export function closeIdle(pool: pg.Pool): void {
  for (const client of [...(idleClients.get(pool) ?? [])]) {
    // The pool forgets a client at its error event; a goodbye over a silent connection would not get through.
    client.emit('error', new Error('Closed because another connection had become silent'));
    client.connection.stream.destroy();
  }
}
