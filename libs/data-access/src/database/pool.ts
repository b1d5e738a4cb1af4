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
    super(config);
    this.on('error', () => undefined);
  }
}

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
    keepAlive: true,
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
  return pool;
}
