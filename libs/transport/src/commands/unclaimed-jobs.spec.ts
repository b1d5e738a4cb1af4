import { randomUUID } from 'node:crypto';
import type { ClaimedJob, Command, CommandOf, Outcome } from '@spooled/contracts';
import { ManualClock, eventually, startRedis, type TestRedis } from '@spooled/testing';
import { AnsweredClaims } from './answered-claims.js';
import { TransportFixture } from './command-stream.fixture.js';
import { keys } from '../connection/keys.js';

let redis: TestRedis;
let fixture: TransportFixture;
beforeAll(async () => (redis = await startRedis()));
afterAll(() => redis.close());
beforeEach(() => (fixture = new TransportFixture()));
afterEach(() => fixture.closeAll());

const claim = (): CommandOf<'job.claim'> => ({
  id: randomUUID(),
  kind: 'job.claim',
  organizationId: randomUUID(),
  ttlMs: 10_000,
  traceparent: null,
  actor: null,
  body: { queueName: 'emails', workerId: 'w1', limit: 1, leaseSeconds: 30 },
});

/** A claim outcome with one job, with a payload of `payloadBytes`. */
const granted = (payloadBytes = 2): Outcome<'job.claim'> => {
  const job = { id: randomUUID(), leaseId: randomUUID(), payload: `"${'x'.repeat(payloadBytes)}"` };
  return { ok: true, value: { jobs: [job as ClaimedJob] } };
};

/** Collects the unclaimed jobs. */
class Unclaimed {
  readonly reported: [organizationId: string, jobId: string][] = [];
  readonly record = (organizationId: string, jobs: ClaimedJob[]) =>
    void this.reported.push(...jobs.map(({ id }): [string, string] => [organizationId, id]));
}

describe('jobs granted to a claim', () => {
  it.each([
    ['a response', 2],
    ['a response too large to publish', 100_000],
  ])('BX-02 are reported when the caller no longer waits for %s', async (_, bytes) => {
    const held: ((outcome: Outcome) => void)[] = [];
    await fixture.engine(redis.url, () => new Promise<Outcome>((answer) => held.push(answer)));
    const unclaimed = new Unclaimed();
    const clock = new ManualClock();
    const client = await fixture.readyClient(redis.url, { onUnclaimed: unclaimed.record, clock });
    const late = claim();
    const refused = expect(client.send(late)).rejects.toMatchObject({ status: 503 });
    await eventually(() => expect(held).toHaveLength(1));
    await clock.advance(late.ttlMs);
    await refused;
    const outcome = granted(bytes);
    held.forEach((answer) => answer(outcome));
    const jobId = outcome.ok && outcome.value.jobs[0]!.id;
    await eventually(() => expect(unclaimed.reported).toEqual([[late.organizationId, jobId]]));
  });

  it('BX-02 are reported by the engine when the process that sent the claim is gone', async () => {
    const held: { command: Command; answer: (outcome: Outcome) => void }[] = [];
    const unclaimed = new Unclaimed();
    const handle = (command: Command) => new Promise<Outcome>((answer) => held.push({ command, answer }));
    await fixture.engine(redis.url, handle, { onUnclaimed: unclaimed.record });
    const gone = fixture.shards(redis.url);
    const other = new TransportFixture();
    const client = other.client(redis.url);
    await eventually(() => expect(client.state('any')).toBe('ready'));
    const sent = claim();
    client.send(sent).catch(() => undefined);
    await eventually(() => expect(held).toHaveLength(1));
    await other.closeAll();
    await eventually(async () => {
      expect(await gone.all[0]!.commands.pubsub('CHANNELS', keys.replyChannel('*'))).toEqual([]);
    });
    const outcome = granted();
    held[0]!.answer(outcome);
    const jobId = outcome.ok && outcome.value.jobs[0]!.id;
    await eventually(() => expect(unclaimed.reported).toEqual([[sent.organizationId, jobId]]));
  });

  it('are not reported when the worker received them', async () => {
    const unclaimed = new Unclaimed();
    const outcome = granted();
    await fixture.engine(redis.url, () => outcome, { onUnclaimed: unclaimed.record });
    const clock = new ManualClock();
    const client = await fixture.readyClient(redis.url, { onUnclaimed: unclaimed.record, clock });
    await expect(client.send(claim())).resolves.toEqual(outcome.ok && outcome.value);
    await client.send(claim());
    expect(unclaimed.reported).toEqual([]);
  });
});

describe('which of two responses to one claim has unclaimed jobs', () => {
  it.each([
    ['the only response, late', [], { adopted: false, unclaimed: true }],
    ['another run, after a response', [false], { adopted: false, unclaimed: true }],
    ['a run that adopted the leases of the previous response', [false], { adopted: true, unclaimed: false }],
    ['the run whose leases another run adopted and responded with', [true], { adopted: false, unclaimed: false }],
    ['a run that adopted leases without a previous response', [], { adopted: true, unclaimed: true }],
  ])('%s', (_, answered, { adopted, unclaimed }) => {
    const claims = new AnsweredClaims(new ManualClock());
    for (const before of answered) claims.record('claim', before);
    expect(claims.isUnclaimed('claim', adopted)).toBe(unclaimed);
  });
});
