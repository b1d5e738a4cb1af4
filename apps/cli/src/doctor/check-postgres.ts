import pg from 'pg';
import { oldestPostgres, postgresProblem, postgresUrlProblem } from '@spooled/domain';
import { type Finding, Findings, patienceMs } from './finding.js';
import { checkRole } from './check-role.js';
import { checkSchema } from './check-schema.js';

/** Leases and schedules are decided by the database's clock; the log and tokens by that of the machine. */
const toleratedSkewMs = 2_000;

/**
 * Checks the server behind a URL: reachable, version, role, schema, clock.
 * @param setting the setting that the URL is of, for the remedies
 */
export async function checkPostgres(setting: string, url: string | undefined): Promise<Finding[]> {
  const found = new Findings(setting === 'DATABASE_URL' ? 'PostgreSQL' : `PostgreSQL (${setting})`);
  if (!url) return found.skipped(`${setting} is not set`).all;
  const wrongUrl = postgresUrlProblem({ setting, url });
  if (wrongUrl) return found.explain(wrongUrl).all;
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  });
  // An error outside of a query, such as a connection that breaks, would end the program.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await checkServer(client, found, setting, new URL(url).host);
  } catch (error) {
    found.explain(postgresProblem(error, { setting, url }));
  } finally {
    await client.end().catch(() => undefined);
  }
  return found.all;
}

async function checkServer(client: pg.Client, found: Findings, setting: string, host: string): Promise<void> {
  const { rows } = await client.query<{ number: string; name: string }>(
    `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS name`,
  );
  const { number, name } = rows[0]!;
  if (Math.floor(Number(number) / 10_000) < oldestPostgres) {
    found.problem(
      `PostgreSQL at ${host} has version ${name}, and Spooled needs ${oldestPostgres} or newer`,
      `upgrade the server, or set ${setting} to a newer one`,
    );
    return;
  }
  found.ok(`PostgreSQL ${name} answers at ${host}`);
  const isOurs = await checkRole(client, found, setting);
  // Only the role of requests may read what was migrated, and its database is that of the other role.
  if (isOurs && setting === 'DATABASE_URL') await checkSchema(client, found);
  await checkClock(client, found);
}

async function checkClock(client: pg.Client, found: Findings): Promise<void> {
  const before = Date.now();
  const { rows } = await client.query<{ ms: string }>('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms');
  const skewMs = Number(rows[0]!.ms) - (before + Date.now()) / 2;
  if (Math.abs(skewMs) <= toleratedSkewMs) return;
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  found.warning(
    `The clock of this machine is ${seconds} s ${skewMs > 0 ? 'behind' : 'ahead of'} that of PostgreSQL`,
    'synchronize both by NTP',
  );
}
