import { randomUUID } from 'node:crypto';
import type { ClaimedJob, Command, CommandOf, Outcome } from '@spooled/contracts';
import { eventually, startRedis, type TestRedis } from '@spooled/testing';
import { AnsweredClaims } from './answered-claims.js';
import { Opened } from './command-stream.fixture.js';
import { keys } from '../connection/keys.js';

let redis: TestRedis;
let opened: Opened;
beforeAll(async () => (redis = await startRedis()));
afterAll(() => redis.close());
beforeEach(() => (opened = new Opened()));
afterEach(() => opened.closeAll());

const claim = (ttlMs = 10_000): CommandOf<'job.claim'> => ({
  id: randomUUID(),
  kind: 'job.claim',
  organizationId: randomUUID(),
  ttlMs,
  traceparent: null,
  body: { queueName: 'emails', workerId: 'w1', limit: 1, leaseSeconds: 30 },
});

/** An answer that grants one job; of `payloadBytes`, so that it may be too large to be published. */
const granted = (payloadBytes = 2): Outcome<'job.claim'> => {
  const job = { id: randomUUID(), leaseId: randomUUID(), payload: `"${'x'.repeat(payloadBytes)}"` };
  return { ok: true, value: { jobs: [job as ClaimedJob] } };
};

/** Jobs that were granted to nobody, as they are told. */
class Unclaimed {
  readonly told: [organizationId: string, jobId: string][] = [];
  readonly note = (organizationId: string, jobs: ClaimedJob[]) =>
    void this.told.push(...jobs.map(({ id }): [string, string] => [organizationId, id]));
}

describe('jobs that a claim was granted', () => {
  it.each([
    ['an answer', 2],
    ['an answer too large to be published', 100_000],
  ])('BX-02 come back when nobody waits any more for %s', async (_, bytes) => {
    const held: ((outcome: Outcome) => void)[] = [];
    await opened.engine(redis.url, () => new Promise<Outcome>((answer) => held.push(answer)));
    const unclaimed = new Unclaimed();
    const client = opened.client(redis.url, { onUnclaimed: unclaimed.note });
    await eventually(() => expect(client.state('any')).toBe('ready'));
    const late = claim(300);
    await expect(client.send(late)).rejects.toMatchObject({ status: 503 });
    const outcome = granted(bytes);
    held.forEach((answer) => answer(outcome));
    const jobId = outcome.ok && outcome.value.jobs[0]!.id;
    await eventually(() => expect(unclaimed.told).toEqual([[late.organizationId, jobId]]));
  });

  it('BX-02 come back from the engine when the process that asked is gone', async () => {
    const held: { command: Command; answer: (outcome: Outcome) => void }[] = [];
    const unclaimed = new Unclaimed();
    const handle = (command: Command) => new Promise<Outcome>((answer) => held.push({ command, answer }));
    await opened.engine(redis.url, handle, { onUnclaimed: unclaimed.note });
    const gone = opened.shards(redis.url);
    const other = new Opened();
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
    await eventually(() => expect(unclaimed.told).toEqual([[sent.organizationId, jobId]]));
  });

  it('stay with their worker', async () => {
    const unclaimed = new Unclaimed();
    const outcome = granted();
    await opened.engine(redis.url, () => outcome, { onUnclaimed: unclaimed.note });
    const client = opened.client(redis.url, { onUnclaimed: unclaimed.note });
    await eventually(() => expect(client.state('any')).toBe('ready'));
    await expect(client.send(claim())).resolves.toEqual(outcome.ok && outcome.value);
    await client.send(claim());
    expect(unclaimed.told).toEqual([]);
  });
});

describe('which of two answers to one claim holds jobs that nobody has', () => {
  it.each([
    ['the only one, late', [], { adopted: false, unclaimed: true }],
    ['a further run, after an answer', [false], { adopted: false, unclaimed: true }],
    ['a run that found the leases of the answered one', [false], { adopted: true, unclaimed: false }],
    ['the run whose leases another one found and answered with', [true], { adopted: false, unclaimed: false }],
    ['a run that found leases which were never answered', [], { adopted: true, unclaimed: true }],
  ])('%s', (_, answered, { adopted, unclaimed }) => {
    const claims = new AnsweredClaims();
    for (const before of answered) claims.note('claim', before);
    expect(claims.isUnclaimed('claim', adopted)).toBe(unclaimed);
  });
});
