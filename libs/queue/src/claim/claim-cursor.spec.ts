import type { ClaimedJob } from '@spooled/contracts';
import { jest } from '@jest/globals';
import { enqueue, newJob } from '@spooled/testing';
import { EngineFixture } from '../testing/job-lifecycle.fixture.js';
import { ClaimCursors } from './claim-cursor.js';

const granted = (createdAt = '2026-11-21T11:00:00.123456Z') => ({ priority: 5, createdAt }) as ClaimedJob;
const whole = (ms: number) => ({ ms, whole: true });
const further = (ms: number) => ({ ms, whole: false });

describe('where a claim begins to look', () => {
  afterEach(() => jest.restoreAllMocks());

  it('SP-22 at the first job of the queue, as long as claims are quick', () => {
    const grants = new ClaimCursors();
    grants.note('q', [granted()], whole(9));
    expect(grants.from('q')).toBeUndefined();
    // A hundred and more jobs may take longer.
    grants.note(
      'q',
      Array.from({ length: 100 }, () => granted()),
      whole(19),
    );
    expect(grants.from('q')).toBeUndefined();
  });

  it('SP-22 where the last one ended once claims are slow, and at the first job again and again all the same', () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    const grants = new ClaimCursors();
    grants.note('q', [granted()], whole(30));
    expect(grants.from('q')).toEqual({ priority: 5, created_at: '2026-11-21T11:00:00.123456Z' });
    grants.note('q', [granted('2026-11-21T11:00:01Z')], further(1));
    expect(grants.from('q')).toEqual({ priority: 5, created_at: '2026-11-21T11:00:01Z' });
    // Twenty times as long as the look took.
    now.mockReturnValue(1_599);
    expect(grants.from('q')).toBeDefined();
    now.mockReturnValue(1_600);
    expect(grants.from('q')).toBeUndefined();
    // One is enough.
    expect(grants.from('q')).toBeDefined();
    grants.note('q', [granted()], whole(1));
    expect(grants.from('q')).toBeUndefined();
  });

  it('is forgotten when there was nothing to grant', () => {
    const grants = new ClaimCursors();
    grants.note('q', [granted()], whole(30));
    grants.note('q', [], further(0));
    expect(grants.from('q')).toBeUndefined();
  });
});

describe('a claim that begins further on', () => {
  let bench: EngineFixture;
  beforeAll(async () => {
    bench = await EngineFixture.open();
  });
  afterAll(() => bench.close());

  it('SP-22 takes urgent jobs first, and what lies before only when nothing else is there', async () => {
    const org = await bench.organization();
    const add = async (priority: number) => {
      const job = newJob({ priority });
      await bench.run(enqueue(org, [job]));
      return job.id;
    };
    const [before, lazy, first, second, urgent] = [
      await add(0),
      await add(-5),
      await add(0),
      await add(0),
      await add(5),
    ];
    const [row] = await bench.sql<{ t: string }>('SELECT created_at::text AS t FROM job_queue WHERE job_id = $1', [
      first,
    ]);
    const from = { priority: 0, created_at: row!.t };
    const claimed = async (limit: number) => {
      const claim = { command: 0, id: newJob().id, worker: 'w1', lease_seconds: 30, max_jobs: limit };
      const batch = [{ organization: org, queue: 'emails', from, claims: [claim] }];
      const rows = await bench.db.inBatch((tx) =>
        tx.query<{ job_id: string }>('SELECT job_id FROM claim_jobs_v2($1)', [JSON.stringify(batch)]),
      );
      return rows.map(({ job_id }) => job_id);
    };
    expect(await claimed(2)).toEqual([urgent, first]);
    expect(await claimed(5)).toEqual([second]);
    expect(await claimed(5)).toEqual([before, lazy]);
  });
});
