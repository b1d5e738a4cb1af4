import { Spooled } from '@spooled/sdk';
import {
  type ArchivedDatabase,
  eventually,
  moveClock,
  type Stack,
  startArchivedDatabase,
  startStack,
} from '@spooled/testing';
import pg from 'pg';
import { newQueue } from './job-steps.js';

let database: ArchivedDatabase;
let stack: Stack;
let client: Spooled;
const queueName = newQueue();
const workerId = 'w';

beforeAll(async () => {
  database = await startArchivedDatabase();
  stack = await startStack({ database, webhooks: 0, realtime: 0 });
  client = new Spooled({ baseUrl: stack.baseUrl, apiKey: stack.apiKey });
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await database?.drop();
});

const create = async (count: number): Promise<string[]> => {
  const jobs = Array.from({ length: count }, (_, n) => ({ payload: { n } }));
  return (await client.jobs.createMany({ queueName, jobs })).succeeded.map(({ jobId }) => jobId);
};
const claim = (limit: number) => client.jobs.claim({ queueName, workerId, limit, leaseDurationSecs: 5 });
const complete = (jobs: Awaited<ReturnType<typeof claim>>) =>
  Promise.all(jobs.map(({ id, leaseId }) => client.jobs.complete(id, { workerId, leaseId })));

/** Jobs by status, counted in their rows. */
async function recount(): Promise<Record<string, number>> {
  const superuser = new pg.Client({ connectionString: database.superuserUrl });
  await superuser.connect();
  try {
    const { rows } = await superuser.query<{ status: string; jobs: number }>(
      'SELECT status, count(*)::int AS jobs FROM job_records WHERE queue_name = $1 GROUP BY 1',
      [queueName],
    );
    return Object.fromEntries(rows.map(({ status, jobs }) => [status, jobs]));
  } finally {
    await superuser.end();
  }
}

describe('BX-43 a restore from a base backup and the archived log', () => {
  it('brings back what was committed up to the named moment, and the services go on with it', async () => {
    const before = await create(20);
    await complete(await claim(5));
    await database.backUp();
    // After the backup: only the archive has it.
    const sinceBackup = await create(10);
    await complete(await claim(5));
    const running = await claim(5);
    const { id: cancelled } = await client.jobs.create({ queueName, payload: {}, idempotencyKey: 'cancelled' });
    await client.jobs.cancel(cancelled);
    await database.mark('before the accident');

    await complete(running);
    const { id: lost } = await client.jobs.create({ queueName, payload: {}, idempotencyKey: 'lost' });
    await database.lose();
    await database.restore('before the accident');
    // It knows leases and counters of what is undone.
    await stack.redis!.kill();
    await stack.redis!.start();

    await eventually(async () => expect(await client.jobs.get(cancelled)).toMatchObject({ status: 'cancelled' }), {
      timeoutMs: 30_000,
    });
    await expect(client.jobs.get(lost)).rejects.toMatchObject({ status: 404 });
    // Its producer may send it again, and only once.
    const again = { queueName, payload: {}, idempotencyKey: 'lost' };
    const [first, second] = [await client.jobs.create(again), await client.jobs.create(again)];
    expect([first.created, second.created, second.id]).toEqual([true, false, first.id]);
    // Completions after the moment are undone: these jobs run again when their leases have ended, all others once.
    await moveClock(database, '5 s');
    const done = new Set<string>();
    await eventually(
      async () => {
        const jobs = await claim(50);
        await complete(jobs);
        for (const { id } of jobs) done.add(id);
        expect(await client.jobs.stats(queueName)).toMatchObject({ pending: 0, processing: 0, completed: 31 });
      },
      { timeoutMs: 60_000 },
    );
    expect([...done].filter((id) => running.some((job) => job.id === id))).toHaveLength(5);
    expect(done.size).toBe(21);
    expect([...done].every((id) => [...before, ...sinceBackup, first.id].includes(id))).toBe(true);
    expect(await recount()).toEqual({ completed: 31, cancelled: 1 });
    expect(stack.crashed).toEqual([]);
  }, 180_000);
});
