import type { ClaimedJob, Command, CommandOf, NotRun, Outcome } from '@spooled/contracts';
import { maxDocumentBytesPerStatement } from '@spooled/domain';
import { claim, enqueue, newJob } from '@spooled/testing';
import { EffectsBuilder } from '../step/effects.js';
import { useEngine } from '../testing/job-lifecycle.fixture.js';
import { ClaimCursors } from './claim-cursor.js';
import { claimBatch } from './claim.js';

const fixture = useEngine();
/** In the order in which a transaction serves them. */
let orgs: string[];
beforeEach(async () => void (orgs = [await fixture.organization(), await fixture.organization()].sort()));

/** Eight fill a transaction. */
const payload = JSON.stringify('x'.repeat(maxDocumentBytesPerStatement / 8 - 2));

async function create(org: string, count: number, queueName = 'emails'): Promise<void> {
  for (let i = 0; i < count; i++) await fixture.run(enqueue(org, [newJob({ payload, queueName })]));
}
const claims = (org: string, count: number, more: object = {}): CommandOf<'job.claim'>[] =>
  Array.from({ length: count }, () => claim(org, more));

const shared = (commands: Command[]) => fixture.engine.executeShared(commands, 'organizations');
/** The number of jobs of each claim. */
const sizes = (outcomes: (Outcome | NotRun)[]) =>
  outcomes.map((outcome) => {
    if (typeof outcome === 'string') return outcome;
    return outcome.ok ? jobsOf(outcome).length : outcome.error;
  });
const jobsOf = (outcome: Outcome) => (outcome as { value: { jobs: ClaimedJob[] } }).value.jobs;
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

/** Keeps what it is told: the number of jobs that the claims of a queue were granted. */
class RecordedCursors extends ClaimCursors {
  readonly reports: [queue: string, jobs: number][] = [];

  override record(queue: string, jobs: ClaimedJob[]): void {
    this.reports.push([queue, jobs.length]);
  }
}

describe('BX-03 the claims of one transaction', () => {
  it('have 8 MB of payloads; those beyond are for the next one and lose nothing', async () => {
    const [org] = orgs as [string];
    await create(org, 12);
    const all = claims(org, 12);
    const first = await shared(all);
    expect(sizes(first)).toEqual([...times(8, 1), ...times(4, 'full')]);
    expect(
      await fixture.sql(`SELECT FROM job_queue WHERE organization_id = $1 AND state = 'ready'`, [org]),
    ).toHaveLength(4);
    const second = await shared(all.slice(8));
    expect(sizes(second)).toEqual(times(4, 1));
    const granted = [...first.slice(0, 8), ...second].flatMap((outcome) =>
      jobsOf(outcome as Outcome).map(({ id }) => id),
    );
    expect(new Set(granted).size).toBe(12);
  });

  it('are one claim at least, and one that has begun is granted whole', async () => {
    const [a, b] = orgs as [string, string];
    for (const org of orgs) await create(org, 9);
    const all = [...claims(a, 1, { limit: 100 }), ...claims(b, 1, { limit: 100 })];
    expect(sizes(await shared(all))).toEqual([8, 'full']);
    expect(sizes(await shared(all.slice(1)))).toEqual([8]);
  });

  it('share the bytes among organizations: the last one does not wait for all claims of the first', async () => {
    const [a, b] = orgs as [string, string];
    await create(a, 7);
    await create(a, 3, 'images');
    await create(b, 1);
    const all = [...claims(a, 7), ...claims(a, 3, { queueName: 'images' }), ...claims(b, 2)];
    const cursors = new RecordedCursors();
    const outcomes = await fixture.db.inBatch((tx) => claimBatch(cursors)(tx, all, new EffectsBuilder()));
    // Half for the first organization, over all its queues. The second claim of the other finds nothing, at no bytes.
    expect(sizes(outcomes)).toEqual([...times(4, 1), ...times(3, 'full'), ...times(3, 'full'), 1, 0]);
    // Claims that were not served say nothing about their queue.
    expect(cursors.reports).toEqual([
      [`${a} emails`, 4],
      [`${b} emails`, 1],
    ]);
  });

  it('leave what an organization does not use to the next one', async () => {
    const [a, b] = orgs as [string, string];
    await create(a, 1);
    await create(b, 8);
    expect(sizes(await shared([...claims(a, 1), ...claims(b, 8)]))).toEqual([...times(8, 1), 'full']);
  });

  it('have as many bytes when they are delivered again', async () => {
    const [org] = orgs as [string];
    await create(org, 11);
    const all = claims(org, 10);
    const granted = await fixture.engine.execute(all);
    const again = [...all.map((one) => ({ ...one, redelivered: true })), claim(org) as Command];
    const first = await shared(again);
    expect(sizes(first)).toEqual([...times(8, 1), ...times(3, 'full')]);
    const second = await shared(again.slice(8));
    expect(sizes(second)).toEqual(times(3, 1));
    const ids = [...first.slice(0, 8), ...second.slice(0, 2)].map((outcome) => jobsOf(outcome as Outcome)[0]!.id);
    expect(ids).toEqual(granted.map((outcome) => jobsOf(outcome)[0]!.id));
  });

  it('are answered by as many transactions as they need', async () => {
    const [org] = orgs as [string];
    await create(org, 17);
    const outcomes = await fixture.engine.execute(claims(org, 18));
    expect(sizes(outcomes)).toEqual([...times(17, 1), 0]);
    // Attempts of one transaction begin at the same time.
    const began = Map.groupBy(outcomes.flatMap(jobsOf), ({ startedAt }) => startedAt);
    expect([...began.values()].map(({ length }) => length)).toEqual([8, 8, 1]);
  });
});
