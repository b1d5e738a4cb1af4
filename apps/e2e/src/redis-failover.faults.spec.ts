import { eventually, Receiver, type Stack, startStack } from '@spooled/testing';
import { Spooled } from '@spooled/sdk';
import pg from 'pg';
import { Load } from './load.js';

/**
 * Two of each service on several Redis servers; the primary of the organization is killed under load. With Sentinel the same is tested
 * of commands, events and deliveries (libs/transport), and in whole by `npm run failover`.
 */
describe('SP-94 BX-20 a failover of Redis Cluster under load', () => {
  let stack: Stack;
  let superuser: pg.Client;
  let receiver: Receiver;
  let load: Load;

  beforeAll(async () => {
    stack = await startStack({ gateways: 2, engines: 2, redis: 'cluster' });
    superuser = new pg.Client({ connectionString: stack.databaseUrls.superuserUrl });
    await superuser.connect();
    // Rate limits are tested in another spec.
    await superuser.query(
      `UPDATE organizations SET custom_limits = '{"rate_limit_requests_per_second": 100000, "rate_limit_burst": 100000}'`,
    );
    receiver = await Receiver.open();
  }, 120_000);
  afterAll(async () => {
    await load?.settle(0);
    await superuser?.end();
    await receiver?.close();
    await stack?.stop();
  }, 90_000);

  const count = async (sql: string, parameters: unknown[] = []) =>
    (await superuser.query<{ n: number }>(sql, parameters)).rows[0]!.n;
  const batches = async () => {
    const text = await stack.metrics('engine');
    return Number(/spooled_command_batch_size_count (\d+)/.exec(text)?.[1]);
  };
  const deliveredJobs = () =>
    new Set(receiver.calls.map(({ body }) => (JSON.parse(body) as { data: { job_id: string } }).data.job_id));

  it('KF-18 KF-09 loses nothing acknowledged; engines, live streams and webhooks resume', async () => {
    const client = new Spooled({ baseUrl: stack.baseUrl, apiKey: stack.apiKey });
    const hook = { name: 'hook', url: receiver.url(), events: ['job.completed'] };
    const created = await fetch(`${stack.baseUrl}/api/v1/outgoing-webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(hook),
    });
    expect(created.status).toBe(201);
    const stream = client.realtime.subscribe({ transport: 'sse' });
    stream.on('error', () => undefined);
    const streamed = new Set<string>();
    stream.on('event', ({ name, data }) => name === 'job.completed' && streamed.add(data.jobId));
    load = new Load(stack, { producers: 4, workers: 3 });
    await load.finished(50);
    await eventually(() => expect(streamed.size).toBeGreaterThan(0));
    await eventually(() => expect(receiver.calls.length).toBeGreaterThan(0));

    const primary = await stack.redis!.primaryOf(stack.organizationId);
    await primary.kill();
    // The gateways execute commands themselves until there is a new primary.
    await load.finished(50);
    const currentPort = async () => (await stack.redis!.primaryOf(stack.organizationId)).port;
    const patient = { timeoutMs: 30_000, everyMs: 250 };
    // The servers learn of a new primary one after the other: the engines may use it before the server that is asked here names it.
    await eventually(async () => expect(await currentPort()).not.toBe(primary.port), patient);
    const before = await batches();
    await eventually(async () => expect(await batches()).toBeGreaterThan(before), patient);
    const streamedBefore = streamed.size;
    await eventually(() => expect(streamed.size).toBeGreaterThan(streamedBefore), patient);
    // The old primary returns as a replica.
    await primary.start();
    await load.finished(50);

    await load.settle();
    stream.close();
    expect(load.open()).toEqual([]);
    expect(load.sharedJobs).toEqual([]);
    expect([...load.completed.values()].filter((times) => times !== 1)).toEqual([]);
    const keys = [...load.acknowledged.keys()];
    const completed = `SELECT count(*)::int AS n FROM jobs WHERE idempotency_key = ANY ($1) AND outcome = 'completed'`;
    expect(await count(completed, [keys])).toBe(keys.length);
    // Reads the deliveries once: for each job again it took seconds, during which the receiver, in this process, did not respond.
    const missing = () => {
      const delivered = deliveredJobs();
      return [...load.completed.keys()].filter((id) => !delivered.has(id));
    };
    await eventually(() => expect(missing()).toEqual([]), { timeoutMs: 60_000, everyMs: 250 });
  }, 240_000);
});
