import { eventually, needsRedis, type Stack, startStack } from '@spooled/testing';
import pg from 'pg';
import { findUnreceivedLeases, Load } from './load.js';
import { RandomPauses } from './pauses.js';

needsRedis('engines').describe('the only engine is paused and resumed', () => {
  let stack: Stack;
  let superuser: pg.Client;

  beforeAll(async () => {
    stack = await startStack({ webhooks: 0, realtime: 0 });
    superuser = new pg.Client({ connectionString: stack.databaseUrls.superuserUrl });
    await superuser.connect();
  }, 60_000);
  afterAll(async () => {
    await superuser?.end();
    await stack?.stop();
  });

  const api = async (method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> => {
    const response = await fetch(`${stack.baseUrl}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${stack.apiKey}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    return { status: response.status, body: response.status === 204 ? null : await response.json() };
  };
  const enqueue = (queue: string) => api('POST', '/jobs', { queue_name: queue, payload: { n: 1 } });

  it('BX-08 a queue that was deleted during the pause stays deleted', async () => {
    // Until the engine runs them, not the gateway.
    const before = await eventually(async () => {
      await enqueue('wiped');
      const batches = await commandBatches(stack);
      expect(batches).toBeGreaterThan(0);
      return batches;
    });
    stack.pause('engine');
    expect((await api('DELETE', '/queues/wiped?delete_jobs=true')).status).toBe(204);
    const created = await Promise.all(Array.from({ length: 20 }, () => enqueue('wiped')));
    expect(created.map(({ status }) => status)).toEqual(Array(20).fill(201));
    stack.resume('engine');
    // When the engine has run a later command, it has also run those that it read before the pause.
    while (!((await commandBatches(stack)) > before)) await enqueue('other');
    const { body } = await api('GET', '/jobs?queue_name=wiped&limit=100');
    expect(body).toHaveLength(20);
  }, 60_000);

  it('BX-08 BX-02 nothing is lost or done twice, and no attempt is lost for a job that no worker received', async () => {
    const load = new Load(stack, { producers: 4, workers: 6 });
    await load.finished(50);
    const pauses = new RandomPauses(stack);
    // Most of them outlast the heartbeats of the engine, some do not.
    await eventually(() => expect(pauses.count).toBeGreaterThan(6), { timeoutMs: 60_000 });
    await pauses.stop();
    await load.finished(50);
    await load.settle();
    expect([load.open(), load.sharedJobs]).toEqual([[], []]);
    expect([...load.completed.values()].filter((times) => times !== 1)).toEqual([]);
    expect(await findUnreceivedLeases(superuser, load)).toEqual([]);
  }, 120_000);
});

/** NaN before the first one. */
async function commandBatches(stack: Stack): Promise<number> {
  const text = await stack.metrics('engine');
  return Number(/spooled_command_batch_size_count (\d+)/.exec(text)?.[1]);
}
