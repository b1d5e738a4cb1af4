import { createTenant, useDatabase, useConnections, useSuperuser } from '@spooled/testing';
import { countJobsAhead } from './explain.js';
const testDatabase = useDatabase();
const db = useConnections(testDatabase);
const superuser = useSuperuser(testDatabase);
let organizationId: string;
beforeEach(async () => void ({ organizationId } = await createTenant(testDatabase.superuserUrl)));

/** A live job of the queue `line`; those of one `second` are in order of their ids. */
async function job(priority: number, second: number, more: Record<string, unknown> = {}): Promise<string> {
  const row = {
    organization_id: organizationId,
    queue_name: 'line',
    state: 'ready',
    priority,
    max_retries: 3,
    created_at: new Date(Date.UTC(2030, 0, 1, 0, 0, second)).toISOString(),
    ...more,
  };
  const names = Object.keys(row);
  const { rows } = await superuser.query<{ job_id: string }>(
    `INSERT INTO job_queue (job_id, ${names.join()}) VALUES (uuidv7(), ${names.map((_, i) => `$${i + 1}`).join()}) RETURNING job_id`,
    Object.values(row),
  );
  return rows[0]!.job_id;
}

const ahead = (id: string) => db.withTenant(organizationId, (tx) => countJobsAhead(tx, id));

describe('the jobs that a claim takes before one', () => {
  it('BX-04 are those of a higher priority, and of the same one the older', async () => {
    const last = await job(0, 5);
    const first = await job(0, 4);
    const second = await job(0, 4);
    const urgent = await job(1, 9);
    await job(-1, 1);
    const places = await Promise.all([urgent, first, second, last].map(ahead));
    expect(places).toEqual([0, 1, 2, 3]);
  });

  it('BX-04 are only those that a claim can take, of the same queue and organization', async () => {
    const own = await job(0, 5);
    const { organizationId: other } = await createTenant(testDatabase.superuserUrl);
    for (const priority of [0, 1]) {
      await job(priority, 1, { dependencies_met: false });
      await job(priority, 1, { state: 'scheduled', due_at: '2040-01-01' });
      await job(priority, 1, { queue_name: 'other' });
      await job(priority, 1, { organization_id: other });
    }
    expect(await ahead(own)).toBe(0);
  });

  it.each([
    ['waits for its parents', { dependencies_met: false }],
    ['is scheduled', { state: 'scheduled', due_at: '2040-01-01' }],
    ['belongs to another queue state', { state: 'retrying', due_at: '2040-01-01' }],
  ])('are unknown of a job that %s', async (_, more) => expect(await ahead(await job(0, 5, more))).toBeNull());

  it('are unknown of a job of another organization', async () => {
    const own = await job(0, 5);
    const { organizationId: other } = await createTenant(testDatabase.superuserUrl);
    expect(await db.withTenant(other, (tx) => countJobsAhead(tx, own))).toBeNull();
  });
});
