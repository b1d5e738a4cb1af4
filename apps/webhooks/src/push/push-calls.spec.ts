import { productMetrics } from '@spooled/contracts';
import { type ErrorShape, SpooledError, unavailable } from '@spooled/domain';
import { createMetrics, newId } from '@spooled/platform';
import { Commands, newCommand } from '@spooled/service';
import { eventually, ManualClock, type Receiver } from '@spooled/testing';
import { Displacement } from '../callback/call-capacity.js';
import { CallbackClient } from '../callback/callback-client.js';
import type { Tenant } from '../deliver/tenant.fixture.js';
import { PushCalls } from './push-calls.js';
import { logger, PushFixture } from './push.fixture.js';
import { PushWork } from './push-work.js';

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

const jobs = (...wanted: Parameters<PushFixture['jobs']>) => fixture.jobs(...wanted);
const job = (id: string) => fixture.job(id);

describe('a long call', () => {
  const clock = new ManualClock();
  let displaced: AbortController;
  /** Releases that fail, as without PostgreSQL. */
  let failingReleases: number;
  beforeEach(() => {
    displaced = new AbortController();
    failingReleases = 0;
  });
  const run: ConstructorParameters<typeof Commands>[0]['run'] = async (command) => {
    if (command.kind === 'job.release' && failingReleases-- > 0) throw unavailable('PostgreSQL');
    return valueOf(await fixture.engine.submit(command));
  };
  const held = async (leaseSeconds: number, timeoutSeconds = 20) => {
    const commands = new Commands({ run }, 10_000);
    const work = new PushWork(commands, fixture.db, leaseSeconds);
    const client = new CallbackClient({ production: false });
    const calls = new PushCalls(work, client, createMetrics(productMetrics), logger, clock);
    const [id] = await jobs(1);
    const [claimed] = await work.claim(tenant.organizationId, 'emails', 1);
    const target = { url: receiver.url(), secret: null, headers: {}, timeoutSeconds, concurrency: 1 };
    const running = calls.run({ organizationId: tenant.organizationId, job: claimed! }, target, displaced.signal);
    // A timeout may come before the call.
    await Promise.race([receiver.received(1), running]);
    return { id: id!, lease: claimed!.leaseExpiresAt, running, client };
  };
  const caller = () => ({ organizationId: tenant.organizationId, actor: 'system test' });
  const valueOf = <T>(outcome: { ok: true; value: T } | { ok: false; error: ErrorShape }): T => {
    if (outcome.ok) return outcome.value;
    throw SpooledError.fromShape(outcome.error);
  };

  it('renews its lease while it runs', async () => {
    let answer: () => void = () => undefined;
    receiver.respond = (_call, response) => void (answer = () => response.end());
    const { id, lease, running, client } = await held(60);
    // The database's clock moves on by what the look takes: the new end is a little later.
    await clock.advance(20_000);
    await eventually(async () =>
      expect(Date.parse(String((await job(id)).lease_expires_at))).toBeGreaterThan(Date.parse(lease)),
    );
    answer();
    expect(await running).toBe('answered');
    expect(await job(id)).toMatchObject({ status: 'completed' });
    await client.close();
  });

  it('reports the receiver as unreachable after its timeout', async () => {
    receiver.respond = () => undefined;
    const { id, running, client } = await held(30, 1);
    expect(await running).toBe('unreachable');
    expect(await job(id)).toMatchObject({ retry_count: 1, last_error: expect.stringContaining('in time') });
    await client.close();
  });

  it('MQ-11 releases its job without costing an attempt when it is displaced', async () => {
    receiver.respond = () => undefined;
    const { id, running, client } = await held(60);
    displaced.abort(new Displacement());
    expect(await running).toBe('unknown');
    expect(await job(id)).toMatchObject({ status: 'pending', retry_count: 0 });
    await client.close();
  });

  it('MQ-11 tries again to release its job when PostgreSQL is away for a moment', async () => {
    receiver.respond = () => undefined;
    const { id, running, client } = await held(60);
    failingReleases = 2;
    displaced.abort(new Displacement());
    expect(await clock.until(running)).toBe('unknown');
    expect(await job(id)).toMatchObject({ status: 'pending', retry_count: 0 });
    await client.close();
  });

  it('BX-30 ends when its job was asked to end, which cancels the job', async () => {
    receiver.respond = () => undefined;
    const { id, running, client } = await held(60);
    const request = { jobId: id, queues: null, reason: null, force: false, graceSeconds: null };
    valueOf(await fixture.engine.submit(newCommand('job.requestCancellation', caller(), request, { ttlMs: 10_000 })));
    await clock.advance(20_000);
    expect(await running).toBe('unknown');
    expect(await job(id)).toMatchObject({
      status: 'cancelled',
      last_error: 'The call was ended: the job was cancelled',
    });
    await client.close();
  });

  it('ends silently when its job has been claimed by another worker', async () => {
    receiver.respond = () => undefined;
    const { id, running, client } = await held(60);
    await tenant.query(`UPDATE job_queue SET worker_id = 'another', lease_id = $2 WHERE job_id = $1`, [id, newId()]);
    await clock.advance(20_000);
    expect(await running).toBe('unknown');
    expect(await job(id)).toMatchObject({ status: 'processing', assigned_worker_id: 'another' });
    await client.close();
  });
});
