import { flushCompileCache } from 'node:module';
import { Spooled } from '@spooled/sdk';
import { Outbox } from '@spooled/sdk/outbox';
import pg from 'pg';

// A relay that kills itself at a moment before or after a statement or a request. Run by outbox.faults.spec.ts.

const { DATABASE_URL, SPOOLED_URL, SPOOLED_API_KEY, KILL_AT } = process.env as Record<string, string>;
const killAt = Number(KILL_AT);
let points = 0;

/** Counts one of the moments around a call; the relay dies at one of them. */
async function between<T>(call: () => Promise<T>): Promise<T> {
  point();
  const answer = await call();
  point();
  return answer;
}

function point(): void {
  if (++points === killAt) process.kill(process.pid, 'SIGKILL');
}

const pool = new pg.Pool({ connectionString: DATABASE_URL });
const outbox = new Outbox(
  { query: (text, values) => between(() => pool.query(text, values)) },
  { lease: '1s', pollInterval: '5ms' },
);
const services = new Spooled({
  ...{ baseUrl: SPOOLED_URL!, apiKey: SPOOLED_API_KEY },
  fetch: (url, init) => between(() => fetch(url, init)),
});
const relay = outbox.relay(services, { onError: (error) => void process.stderr.write(`${String(error)}\n`) });
// Most of them are killed, and would leave nothing to the next.
flushCompileCache();
relay.start();
process.once('message', () => {
  void relay
    .stop()
    .then(() => pool.end())
    .then(() => process.disconnect?.());
});
