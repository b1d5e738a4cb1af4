import type { ClaimedJob } from '@spooled/contracts';
import { enqueue, ManualClock, newJob } from '@spooled/testing';
import { useEngine } from '../testing/job-lifecycle.fixture.js';
import { ClaimCursors } from './claim-cursor.js';

const granted = (createdAt = '2026-11-21T11:00:00.123456Z') => ({ priority: 5, createdAt }) as ClaimedJob;
const fullScan = (ms: number) => ({ ms, fullScan: true });
const fromCursor = (ms: number) => ({ ms, fullScan: false });

describe('the start of a claim', () => {
  it('SP-22 is the first job of the queue as long as claims are fast', () => {
    const cursors = new ClaimCursors();
    cursors.record('q', [granted()], fullScan(9));
    expect(cursors.from('q')).toBeUndefined();
    // The limit grows with the number of jobs.
    cursors.record(
      'q',
      Array.from({ length: 100 }, () => granted()),
      fullScan(19),
    );
    expect(cursors.from('q')).toBeUndefined();
  });

  it('SP-22 is the last granted job once claims are slow, with periodic full scans', async () => {
    const clock = new ManualClock();
    const cursors = new ClaimCursors(clock);
    cursors.record('q', [granted()], fullScan(30));
    expect(cursors.from('q')).toEqual({ priority: 5, created_at: '2026-11-21T11:00:00.123456Z' });
    cursors.record('q', [granted('2026-11-21T11:00:01Z')], fromCursor(1));
    expect(cursors.from('q')).toEqual({ priority: 5, created_at: '2026-11-21T11:00:01Z' });
    // Twenty times the duration of the scan.
    await clock.advance(599);
    expect(cursors.from('q')).toBeDefined();
    await clock.advance(1);
    expect(cursors.from('q')).toBeUndefined();
    // Only one claim scans.
    expect(cursors.from('q')).toBeDefined();
    cursors.record('q', [granted()], fullScan(1));
    expect(cursors.from('q')).toBeUndefined();
  });

  it('is reset when a claim finds no job', () => {
    const cursors = new ClaimCursors();
    cursors.record('q', [granted()], fullScan(30));
    cursors.record('q', [], fromCursor(0));
    expect(cursors.from('q')).toBeUndefined();
  });
});

describe('a claim that starts at a cursor', () => {
  const fixture = useEngine();

  it('SP-22 grants jobs of higher priority first, and jobs before the cursor last', async () => {
    const org = await fixture.organization();
    const add = async (priority: number) => {
      const job = newJob({ priority });
      await fixture.run(enqueue(org, [job]));
      return job.id;
    };
    const [before, lazy, first, second, urgent] = [
      await add(0),
      await add(-5),
      await add(0),
      await add(0),
      await add(5),
    ];
    const [row] = await fixture.sql<{ t: string }>('SELECT created_at::text AS t FROM job_queue WHERE job_id = $1', [
      first,
    ]);
    const from = { priority: 0, created_at: row!.t };
    const claimed = async (limit: number) => {
      const claim = {
        command: 0,
        id: newJob().id,
        worker: 'w1',
        lease_seconds: 30,
        max_jobs: limit,
        max_bytes: 8_388_608,
      };
      const batch = [{ organization: org, queue: 'emails', from, claims: [claim] }];
      const rows = await fixture.db.inBatch((tx) =>
        tx.query<{ job_id: string }>('SELECT job_id FROM claim_jobs_v1($1, 8388608)', [JSON.stringify(batch)]),
      );
      return rows.map(({ job_id }) => job_id);
    };
    expect(await claimed(2)).toEqual([urgent, first]);
    expect(await claimed(5)).toEqual([second]);
    expect(await claimed(5)).toEqual([before, lazy]);
  });
});
