import { WakeupSender } from '@spooled/data-access';
import { enqueue, eventually, fromNow, msUntil, newJob, Receiver } from '@spooled/testing';
import { QueueSignals } from '@spooled/transport';
import { signatureOf } from '../callback/signature.js';
import { Tenant } from '../deliver/tenant.fixture.js';
import type { RunningService } from '../service.fixture.js';
import { PushFixture } from './push.fixture.js';

let fixture: PushFixture;
let receiver: Receiver;
let tenant: Tenant;

beforeAll(async () => {
  fixture = await PushFixture.open();
});
beforeEach(async () => {
  ({ receiver, tenant } = await fixture.begin());
});
afterEach(() => fixture.end());
afterAll(() => fixture?.close());

const start = (env?: Record<string, string | undefined>) => fixture.start(env);
const configure = (...settings: Parameters<PushFixture['configure']>) => fixture.configure(...settings);
const jobs = (...wanted: Parameters<PushFixture['jobs']>) => fixture.jobs(...wanted);
const job = (id: string) => fixture.job(id);
const reached = (id: string, status: string) => fixture.reached(id, status);

describe('the jobs of a push queue', () => {
  describe('of a service with the default settings', () => {
    let service: RunningService;
    beforeAll(async () => void (service = await fixture.startForAll()));
    afterAll(() => service?.stop());

    it('MQ-10 are posted with their payload as the body, signed, and completed with the response', async () => {
      receiver.respond = (_call, response) =>
        response.writeHead(201, { 'content-type': 'application/json' }).end('{"n":1}');
      await configure({ callback_url: receiver.url('/work'), callback_secret: 'shh' });
      const [id] = await jobs(1, { payload: '{"to":"ada","n":12345678901234567890}', maxRetries: 2 });
      await reached(id!, 'completed');

      const { path, method, headers, body } = receiver.calls[0]!;
      expect([method, path, body]).toEqual(['POST', '/work', '{"to":"ada","n":12345678901234567890}']);
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'Spooled-Push/1.0',
        'x-spooled-job-id': id,
        'x-spooled-queue': 'emails',
        'x-spooled-attempt': '1',
        'x-spooled-max-attempts': '3',
        'x-spooled-signature': signatureOf('shh', Number(headers['x-spooled-timestamp']), body),
      });
      expect(await job(id!)).toMatchObject({ result: '{"n":1}', assigned_worker_id: expect.stringMatching(/^push:/) });
      expect(receiver.calls).toHaveLength(1);
    });

    it('MQ-27 become dead letters at once with a 4xx', async () => {
      receiver.respond = (_call, response) => response.writeHead(422).end('no such customer');
      await configure({ callback_url: receiver.url() });
      const [id] = await jobs(1, { maxRetries: 5 });
      await reached(id!, 'deadletter');
      expect(await job(id!)).toMatchObject({ last_error: 'HTTP 422: no such customer', retry_count: 0 });
      expect(receiver.calls).toHaveLength(1);
    });

    it('MQ-17, MQ-20 are retried after 5xx, a lost connection and a timeout, as the queue configures', async () => {
      receiver.respond = (_call, response) => {
        const attempt = receiver.calls.length;
        if (attempt === 1) response.writeHead(503).end();
        else if (attempt === 2) response.destroy();
        else if (attempt > 3) response.end('at last');
      };
      const backoff = { retry_strategy: 'fixed', retry_delay_ms: 10, retry_jitter_ms: 0 };
      await configure({ callback_url: receiver.url(), callback_timeout_seconds: 3, ...backoff });
      const [id] = await jobs(1, { maxRetries: 3 });
      await reached(id!, 'completed');
      expect(receiver.calls.map(({ headers }) => headers['x-spooled-attempt'])).toEqual(['1', '2', '3', '4']);
      expect(await job(id!)).toMatchObject({
        result: '{"body":"at last"}',
        last_error: expect.stringContaining('in time'),
      });
    });

    it('MQ-03 never exceed the concurrency of their queue, with two services', async () => {
      await start();
      const open: (() => void)[] = [];
      let most = 0;
      receiver.respond = (_call, response) => {
        open.push(() => response.end());
        most = Math.max(most, open.length);
      };
      await configure({ callback_url: receiver.url(), concurrency: 3 });
      const ids = await jobs(9);
      for (let done = 0; done < 9; done++) {
        await receiver.received(Math.min(9, done + 3));
        open.shift()!();
      }
      await Promise.all(ids.map((id) => reached(id, 'completed')));
      expect(most).toBe(3);
      expect(receiver.calls).toHaveLength(9);
    });

    it('MQ-15, MQ-16 follow the rate of their queue and its changes, with two services', async () => {
      await start();
      await configure({ callback_url: receiver.url(), concurrency: 100 }, { rate: 2 });
      // Two at once, then one every 0.5 s.
      const fifth = fromNow(1_200);
      const ids = await jobs(30);
      await receiver.received(5);
      expect(msUntil(fifth)).toBeLessThan(0);
      expect(receiver.calls.length).toBeLessThan(30);
      await configure({ callback_url: receiver.url(), concurrency: 100 });
      await Promise.all(ids.map((id) => reached(id, 'completed')));
      expect(receiver.calls).toHaveLength(30);
    });

    it('MQ-16 follow a higher rate, however long the lower one would make them wait', async () => {
      await configure({ callback_url: receiver.url() }, { rate: 0.001 });
      const ids = await jobs(2);
      await receiver.received(1);
      await configure({ callback_url: receiver.url() }, { rate: 100 });
      await Promise.all(ids.map((id) => reached(id, 'completed')));
    });

    it('wait while the queue is paused or no longer a push queue', async () => {
      await configure({ callback_url: receiver.url() }, { enabled: false });
      const [id] = await jobs(1);
      const other = await Tenant.create(fixture.db);
      const proof = await Receiver.open();
      await other.query(`INSERT INTO queue_config (organization_id, queue_name, settings) VALUES ($1, 'emails', $2)`, [
        other.organizationId,
        JSON.stringify({ callback_url: proof.url() }),
      ]);
      await fixture.engine.submit(enqueue(other.organizationId, [newJob()]));
      // Another tenant's queue was served meanwhile.
      await proof.received(1);
      await other.query('DELETE FROM queue_config');
      await proof.close();
      expect([receiver.calls, await job(id!)]).toMatchObject([[], { status: 'pending', retry_count: 0 }]);
      await configure({ callback_url: receiver.url() });
      await reached(id!, 'completed');
    });

    it('MQ-11 are called within the plan of their organization and its own limits', async () => {
      receiver.respond = () => undefined;
      const allow = (calls: number | null) =>
        tenant.query('UPDATE organizations SET custom_limits = $1', [JSON.stringify({ max_push_calls: calls })]);
      await allow(2);
      await configure({ callback_url: receiver.url(), concurrency: 100 });
      await jobs(8);
      await receiver.received(2);
      // Another tenant's queue is served in a later turn.
      const other = await Tenant.create(fixture.db);
      const proof = await Receiver.open();
      await other.query(`INSERT INTO queue_config (organization_id, queue_name, settings) VALUES ($1, 'emails', $2)`, [
        other.organizationId,
        JSON.stringify({ callback_url: proof.url() }),
      ]);
      await fixture.engine.submit(enqueue(other.organizationId, [newJob()]));
      await proof.received(1);
      expect(receiver.calls).toHaveLength(2);
      await allow(null);
      await receiver.received(8);
      await other.query('DELETE FROM queue_config');
      await proof.close();
    });

    it('keep their attempts while the receiver does not respond: a pause, then one call at a time', async () => {
      let calls = 0;
      let pausedUntil = fromNow(0);
      const early: number[] = [];
      receiver.respond = (_call, response) => {
        calls++;
        if (msUntil(pausedUntil) > 0) early.push(calls);
        if (calls === 5) pausedUntil = fromNow(950);
        if (calls <= 5) response.destroy();
        else response.end('back');
      };
      const backoff = { retry_strategy: 'fixed', retry_delay_ms: 10, retry_jitter_ms: 0 };
      await configure({ callback_url: receiver.url(), concurrency: 1, ...backoff });
      const ids = await jobs(6, { maxRetries: 10 });
      await Promise.all(ids.map((id) => reached(id, 'completed')));
      const all = await Promise.all(ids.map((id) => job(id)));
      expect(all.reduce((sum, { retry_count }) => sum + Number(retry_count), 0)).toBe(5);
      expect(early).toEqual([]);
      const isOwn = ({ organizationId, queue }: Record<string, unknown>) =>
        organizationId === tenant.organizationId && queue === 'emails';
      const warnings = service.lines.filter((line) => isOwn(line) && line.level === 'warn');
      expect(warnings).toMatchObject([{ msg: expect.stringContaining('not responding'), pauseMs: 1_000 }]);
    });
  });

  it('start at the wake-up of an enqueue, without waiting for the next poll', async () => {
    await start({ PUSH_POLL_INTERVAL_MS: '60000' });
    receiver.respond = (_call, response) => response.end('ok');
    const signals = new QueueSignals(fixture.shards);
    const patient = { timeoutMs: 20_000 };
    const soonReached = (id: string) =>
      eventually(async () => expect(await job(id)).toMatchObject({ status: 'completed' }), { timeoutMs: 1_000 });
    const [id] = await jobs(1);
    // Repeated until the service has subscribed to the queue; the first poll may come before or after the job.
    await eventually(async () => {
      await configure({ callback_url: receiver.url() });
      await soonReached(id!);
    }, patient);
    const [next] = await jobs(1);
    // Repeated until the service has subscribed to the wake-ups.
    await eventually(async () => {
      signals.wake(tenant.organizationId, 'emails', 'bulk_enqueue');
      await soonReached(next!);
    }, patient);
  });

  it('start at the wake-up of an embedded process', async () => {
    receiver.respond = (_call, response) => response.end('ok');
    await configure({ callback_url: receiver.url() });
    const { lines } = await start({ PUSH_POLL_INTERVAL_MS: '60000' });
    await eventually(() =>
      expect(lines).toContainEqual(expect.objectContaining({ msg: 'wake-ups of embedded processes are received' })),
    );
    const [id] = await jobs(1);
    const sender = new WakeupSender(fixture.db, { onError: () => undefined });
    sender.send([{ organizationId: tenant.organizationId, queueName: 'emails' }]);
    await sender.close();
    await reached(id!, 'completed');
  });

  /** An organization with 30 jobs for a receiver. */
  async function otherWithJobs(slow: Receiver): Promise<Tenant> {
    const other = await Tenant.create(fixture.db);
    await other.query(`INSERT INTO queue_config (organization_id, queue_name, settings) VALUES ($1, 'emails', $2)`, [
      other.organizationId,
      JSON.stringify({ callback_url: slow.url(), concurrency: 100 }),
    ]);
    const jobs = Array.from({ length: 30 }, () => newJob());
    await fixture.engine.submit(enqueue(other.organizationId, jobs));
    return other;
  }

  it('BX-03 start although the receivers of other organizations hang in all calls', async () => {
    await start({ PUSH_MAX_CONCURRENT_CALLS: '4' });
    const slow = await Receiver.open();
    slow.respond = () => undefined;
    const others = [await otherWithJobs(slow), await otherWithJobs(slow), await otherWithJobs(slow)];
    await slow.received(4);
    await configure({ callback_url: receiver.url() });
    const [id] = await jobs(1);
    await reached(id!, 'completed');
    for (const other of others) await other.query('DELETE FROM queue_config');
    await slow.close();
  });

  it('MQ-11 start at once while the receiver of another organization hangs', async () => {
    await start({ PUSH_MAX_CONCURRENT_CALLS: '8' });
    const slow = await Receiver.open();
    slow.respond = () => undefined;
    const other = await otherWithJobs(slow);
    await slow.received(4);
    await configure({ callback_url: receiver.url(), concurrency: 100 });
    const ids = await jobs(20);
    await Promise.all(ids.map((id) => reached(id, 'completed')));
    expect(slow.calls).toHaveLength(4);
    await other.query('DELETE FROM queue_config');
    await slow.close();
  });

  it('BX-08 are processed without Redis', async () => {
    await start({ REDIS_URL: undefined });
    await configure({ callback_url: receiver.url() });
    const [id] = await jobs(1);
    await reached(id!, 'completed');
  });

  it('PB-19 are leased for the time that the service is set to', async () => {
    await start({ PUSH_LEASE_SECS: '120' });
    receiver.respond = () => undefined;
    await configure({ callback_url: receiver.url() });
    const [id] = await jobs(1);
    await receiver.received(1);
    const leaseMs = msUntil(String((await job(id!)).lease_expires_at));
    expect(leaseMs).toBeGreaterThan(60_000);
    expect(leaseMs).toBeLessThan(121_000);
  });

  it('PB-24 are released without costing an attempt when their service stops', async () => {
    const service = await start({ SHUTDOWN_TIMEOUT_SECS: '1' });
    receiver.respond = () => undefined;
    await configure({ callback_url: receiver.url() });
    const [id] = await jobs(1);
    await receiver.received(1);
    await service.stop();
    expect(await job(id!)).toMatchObject({ status: 'pending', retry_count: 0, assigned_worker_id: null });
  });
});
