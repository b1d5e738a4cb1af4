import { enqueue, fromNow, newJob } from '@spooled/testing';
import { EngineFixture } from '../testing/job-lifecycle.fixture.js';

describe('jobs whose time has come', () => {
  let fixture: EngineFixture;
  beforeAll(async () => {
    fixture = await EngineFixture.open();
  });
  afterAll(() => fixture?.close());

  it('SP-24 are started then, and no sooner', async () => {
    const org = await fixture.organization();
    const scheduledAt = fromNow(3600_000).toISOString();
    await fixture.run(
      enqueue(
        org,
        Array.from({ length: 300 }, () => newJob({ scheduledAt })),
      ),
    );
    // Ten times a second, so that some are about to be due however long the next call takes to begin.
    await fixture.sql(
      `UPDATE job_queue q SET due_at = current_ts(clock_timestamp()) + n.number * interval '100 ms'
       FROM (SELECT job_id, row_number() OVER () - 11 AS number FROM job_queue WHERE organization_id = $1) n
       WHERE q.job_id = n.job_id`,
      [org],
    );
    const activated = await fixture.maintenance.activateDue(1_000);
    expect(activated).toBeGreaterThan(9);
    expect(activated).toBeLessThan(300);
    const [row] = await fixture.sql(
      `SELECT count(*) FILTER (WHERE state = 'ready')::int AS ready,
         max(due_at) FILTER (WHERE state = 'ready') <= min(h.at) AS none_early,
         min(due_at) FILTER (WHERE state = 'scheduled') > max(h.at) AS none_late
       FROM job_queue q LEFT JOIN job_history h ON h.job_id = q.job_id AND h.event = 'activated'
       WHERE q.organization_id = $1`,
      [org],
    );
    expect(row).toEqual({ ready: activated, none_early: true, none_late: true });
  });
});
