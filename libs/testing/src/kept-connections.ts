import pg from 'pg';

const pools = new Map<string, pg.Pool>();

/**
 * Runs a statement without row-level security. The connection is kept for the next one: a new one costs PostgreSQL 10 ms of CPU, and
 * this process 4. So a statement must leave role and settings as they were.
 */
export async function asSuperuser<Row extends pg.QueryResultRow>(
  superuserUrl: string,
  sql: string,
  parameters: unknown[] = [],
): Promise<Row[]> {
  return (await poolOf(superuserUrl).query<Row>(sql, parameters)).rows;
}

/** Runs `work` on the connection that is kept for this URL. */
export async function onKeptConnection(url: string, work: (client: pg.ClientBase) => Promise<void>): Promise<void> {
  const client = await poolOf(url).connect();
  try {
    await work(client);
    client.release();
  } catch (error) {
    // A transaction may be open.
    client.release(true);
    throw error;
  }
}

/** Closes the connections that are kept for these URLs. */
export async function closeKeptConnections(...urls: string[]): Promise<void> {
  const closing = urls.map((url) => pools.get(url));
  for (const url of urls) pools.delete(url);
  await Promise.all(closing.map(async (pool) => pool?.end()));
}

function poolOf(url: string): pg.Pool {
  const found = pools.get(url);
  if (found) return found;
  const pool = new pg.Pool({ connectionString: url, max: 1, allowExitOnIdle: true });
  // The server of a test may end.
  pool.on('error', () => undefined);
  pools.set(url, pool);
  return pool;
}
