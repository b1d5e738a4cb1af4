import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Outbox } from '@spooled/sdk/outbox';
import {
  createTestDatabase,
  eventually,
  SeededRandom,
  SpecProgram,
  type Stack,
  startStack,
  type TestDatabase,
} from '@spooled/testing';
import pg from 'pg';

const program = new SpecProgram('apps/e2e/src/outbox-relay.fixture.ts');
const transactions = 150;
const kills = 12;

interface Payload {
  n: number;
  key: string;
}

describe('an outbox whose relays are killed at any moment', () => {
  let stack: Stack;
  /** Of the application. */
  let database: TestDatabase;
  let pool: pg.Pool;
  let outbox: Outbox;
  const relays = new Set<ChildProcess>();
  beforeAll(async () => {
    program.build();
    stack = await startStack({ schedulers: 0, webhooks: 0, realtime: 0 });
    database = await createTestDatabase({ empty: true });
    pool = new pg.Pool({ connectionString: database.ownerUrl });
    outbox = new Outbox(pool);
    await outbox.migrate();
    await pool.query('CREATE TABLE orders (n int PRIMARY KEY, key text NOT NULL)');
  }, 120_000);
  afterAll(async () => {
    for (const relay of relays) relay.kill('SIGKILL');
    await pool?.end();
    await database?.drop();
    await stack?.stop();
    program.remove();
  });

  function startRelay(killAt: number): ChildProcess {
    const relay = program.start({
      DATABASE_URL: database.ownerUrl,
      SPOOLED_URL: stack.baseUrl,
      SPOOLED_API_KEY: stack.apiKey,
      KILL_AT: String(killAt),
    });
    relays.add(relay);
    relay.once('exit', () => relays.delete(relay));
    return relay;
  }

  /** An order and its job; one transaction in five is rolled back. */
  async function placeOrder(n: number, random: SeededRandom): Promise<void> {
    const payload: Payload = { n, key: `customer ${random.between(0, 5)}` };
    const tx = await pool.connect();
    await tx.query('BEGIN');
    await tx.query('INSERT INTO orders VALUES ($1, $2)', [n, payload.key]);
    await outbox.enqueue(tx, { queueName: `outbox-${n % 2}`, payload }, { orderingKey: payload.key });
    await tx.query(random.between(1, 5) === 1 ? 'ROLLBACK' : 'COMMIT');
    tx.release();
  }

  const byKey = (payloads: Payload[]) => {
    const keys = new Map<string, number[]>();
    for (const { n, key } of payloads) keys.set(key, [...(keys.get(key) ?? []), n]);
    return Object.fromEntries([...keys].sort());
  };

  async function createdJobs(): Promise<Payload[]> {
    const client = new pg.Client({ connectionString: stack.databaseUrls.superuserUrl });
    await client.connect();
    const { rows } = await client.query<{ payload: Payload }>(
      'SELECT payload FROM job_records WHERE organization_id = $1 ORDER BY id',
      [stack.organizationId],
    );
    await client.end();
    return rows.map(({ payload }) => payload);
  }

  it('creates one job for each order, in the order of its customer', async () => {
    const random = new SeededRandom(5);
    const keepKilling = async () => {
      for (let kill = 0; kill < kills / 2; kill++) {
        const [, signal] = (await once(startRelay(random.between(1, 60)), 'exit')) as [number | null, string | null];
        expect(signal).toBe('SIGKILL');
      }
    };
    const killing = Promise.all([keepKilling(), keepKilling()]);
    for (let n = 0; n < transactions; n++) await placeOrder(n, random);
    await killing;
    const last = startRelay(Infinity);
    await eventually(async () => expect(await outbox.status()).toMatchObject({ waiting: 0 }), { timeoutMs: 60_000 });
    last.send('stop');
    await once(last, 'exit');
    const { rows: orders } = await pool.query<Payload>('SELECT n, key FROM orders ORDER BY n');
    expect(byKey(await createdJobs())).toEqual(byKey(orders));
  }, 300_000);
});
