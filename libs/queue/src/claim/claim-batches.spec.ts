import type { ClaimedJob } from '@spooled/contracts';
import { claim, enqueue, newJob } from '@spooled/testing';
import { EffectsBuilder } from '../step/effects.js';
import { useEngine } from '../testing/job-lifecycle.fixture.js';
import { ClaimCursors, type QueuePosition, type Search } from './claim-cursor.js';
import { claimBatch } from './claim.js';

const fixture = useEngine();

describe('claims of several tenants and queues in one transaction', () => {
  it('get jobs of their own tenant and queue only', async () => {
    const [a, b] = [await fixture.organization(), await fixture.organization()];
    const own = async (org: string, queueName: string) => {
      const jobs = [newJob({ queueName }), newJob({ queueName })];
      await fixture.run(enqueue(org, jobs));
      return jobs.map(({ id }) => id);
    };
    const expected = [await own(a, 'emails'), await own(b, 'emails'), await own(a, 'images'), await own(b, 'images')];
    const outcomes = await fixture.engine.execute([
      claim(a, { limit: 9 }),
      claim(b, { limit: 9 }),
      claim(a, { limit: 9, queueName: 'images' }),
      claim(b, { limit: 1, queueName: 'images' }),
      claim(a, { limit: 9, queueName: 'none' }),
      claim(b, { limit: 9, queueName: 'images', workerId: 'w2' }),
    ]);
    const granted = outcomes.map((outcome) =>
      outcome.ok ? (outcome.value as { jobs: ClaimedJob[] }).jobs.map(({ id }) => id) : outcome.error,
    );
    const [firstImage, secondImage] = expected[3]!;
    expect(granted).toEqual([...expected.slice(0, 3), [firstImage], [], [secondImage]]);
  });

  it('BX-02 get the jobs that they were granted before when they are delivered again, and no others', async () => {
    const org = await fixture.organization();
    const jobs = [newJob(), newJob(), newJob(), newJob()];
    for (const job of jobs) await fixture.run(enqueue(org, [job]));
    const [first, second, third] = jobs.map(({ id }) => id);
    const known = claim(org, { limit: 2 });
    await fixture.run(known);
    const outcomes = await fixture.engine.execute([
      { ...known, redelivered: true },
      claim(org, { workerId: 'w2' }),
      { ...claim(org, { workerId: 'w3', queueName: 'none' }), redelivered: true },
    ]);
    const granted = outcomes.map((outcome) =>
      outcome.ok ? (outcome.value as { jobs: ClaimedJob[] }).jobs.map(({ id }) => id).sort() : outcome.error,
    );
    expect(granted).toEqual([[first, second].sort(), [third], []]);
    const waiting = await fixture.sql(`SELECT job_id FROM job_queue WHERE organization_id = $1 AND state = 'ready'`, [
      org,
    ]);
    expect(waiting).toEqual([{ job_id: jobs[3]!.id }]);
  });
});

describe('the cursor of a queue', () => {
  /** Cursors that start a claim where the test says, and keep what claims report. */
  class Recorded extends ClaimCursors {
    readonly reports: { queue: string; jobs: string[]; search: Search }[] = [];
    start: QueuePosition | undefined;

    override from(): QueuePosition | undefined {
      return this.start;
    }

    override record(queue: string, jobs: ClaimedJob[], search: Search): void {
      this.reports.push({ queue, jobs: jobs.map(({ id }) => id), search });
    }
  }

  const run = (cursors: ClaimCursors, ...claims: ReturnType<typeof claim>[]) =>
    fixture.db.inBatch((tx) => claimBatch(cursors)(tx, claims, new EffectsBuilder()));

  it('SP-22 learns from each claim which jobs it was granted and where it started', async () => {
    const org = await fixture.organization();
    const jobs = [newJob(), newJob(), newJob()];
    for (const job of jobs) await fixture.run(enqueue(org, [job]));
    const [first, second, third] = jobs.map(({ id }) => id);
    const cursors = new Recorded();
    const [row] = await fixture.sql<{ t: string }>('SELECT created_at::text AS t FROM job_queue WHERE job_id = $1', [
      second,
    ]);
    cursors.start = { priority: 0, created_at: row!.t };
    await run(cursors, claim(org));
    cursors.start = undefined;
    await run(cursors, claim(org), claim(org, { workerId: 'w2' }), claim(org, { queueName: 'none' }));
    expect(cursors.reports).toEqual([
      { queue: `${org} emails`, jobs: [second], search: { ms: 0, fullScan: false } },
      { queue: `${org} emails`, jobs: [first, third], search: { ms: 0, fullScan: true } },
      { queue: `${org} none`, jobs: [], search: { ms: 0, fullScan: true } },
    ]);
  });

  // A pause of a busy machine must not cost a queue the order of its jobs.
  it.each([
    { skipped: 1_000, isTimed: false },
    { skipped: 1_001, isTimed: true },
  ])('SP-22 learns how long a search took if it skipped many entries: $skipped', async ({ skipped, isTimed }) => {
    const org = await fixture.organization();
    const jobs = Array.from({ length: skipped + 1 }, () => newJob());
    await fixture.run(enqueue(org, [...jobs, newJob({ queueName: 'short' })]));
    const cursors = new Recorded();
    const holder = await fixture.superuser.connect();
    try {
      await holder.query('BEGIN');
      const first = `SELECT FROM job_queue WHERE organization_id = $1 AND queue_name = 'emails'
                     ORDER BY created_at, job_id LIMIT $2 FOR UPDATE`;
      await holder.query(first, [org, skipped]);
      await run(cursors, claim(org), claim(org, { queueName: 'short' }));
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    const searches = cursors.reports.map(({ jobs, search }) => [jobs.length, search.ms > 0]);
    expect(searches).toEqual([
      [1, isTimed],
      [1, false],
    ]);
  });
});
