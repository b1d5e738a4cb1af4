import { flushCompileCache } from 'node:module';
import pg from 'pg';
import { EmbeddedSpooled } from './index.js';

// An application that completes jobs in its own transactions, and kills itself at a statement. Run by complete-in.faults.spec.ts.

const { APP_URL, SYSTEM_URL, ORGANIZATION, KILL_AT } = process.env as Record<string, string>;
const killAt = Number(KILL_AT);
let points = 0;

/** Counts one of the moments before and after each statement of the application's transactions. */
function point(): void {
  if (++points === killAt) process.kill(process.pid, 'SIGKILL');
}

const pool = new pg.Pool({ connectionString: APP_URL, max: 8 });
pool.on('connect', (client) => {
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
  const counted = async (...args: unknown[]) => {
    point();
    const result = await query(...args);
    point();
    return result;
  };
  Object.assign(client, { query: counted });
});

const spooled = await EmbeddedSpooled.open({
  databaseUrl: APP_URL!,
  systemUrl: SYSTEM_URL,
  organization: ORGANIZATION!,
});
const worker = spooled.worker(
  {
    charges: async ({ payload }, { completeIn }) => {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        await client.query('INSERT INTO charges (n) VALUES ($1)', [payload]);
        const result = await completeIn(client, { charged: payload as number });
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch(() => undefined);
        throw error;
      } finally {
        client.release();
      }
    },
  },
  { concurrency: 8, leaseSeconds: 5, pollIntervalMs: 20 },
);
// Most of them are killed, and would leave nothing to the next.
flushCompileCache();
await worker.start();
process.on('message', () => {
  void spooled
    .close()
    .then(() => pool.end())
    .then(() => process.disconnect?.());
});
