import { randomUUID } from 'node:crypto';
import { createTenant, useTenantForEach } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenantForEach(database);

/** A job that fails for good with this error. */
async function die(queue_name: string, error: string, payload: object = {}): Promise<string> {
  const { body } = await gateway.request('POST', '/jobs', tenant.key, { queue_name, payload, max_retries: 0 });
  await gateway.request('POST', '/jobs/claim', tenant.key, { queue_name, worker_id: 'w' });
  await gateway.request('POST', `/jobs/${body.id}/fail`, tenant.key, { worker_id: 'w', error });
  return body.id as string;
}

const list = (query = '', key = tenant.key) => gateway.request('GET', `/jobs/dlq/groups${query}`, key);

describe('groups of dead letters', () => {
  it('BX-06 show cause, size, times, trend and one sample, the largest group first', async () => {
    await die('mail', 'timeout after 10 s');
    const oldest = await die('mail', 'user 17 unknown', { job_type: 'welcome' });
    const newest = await die('mail', 'user 4711 unknown', { job_type: 'welcome' });
    const { status, headers, body } = await list();
    expect([status, headers['x-has-more'], body.length]).toEqual([200, 'false', 2]);
    expect(body[0]).toEqual({
      id: expect.any(String),
      queue_name: 'mail',
      job_type: 'welcome',
      error: 'user # unknown',
      count: 2,
      first_seen: expect.any(String),
      last_seen: body[0].sample.dead_at,
      per_hour: expect.any(Array),
      sample: { job_id: newest, error: 'user 4711 unknown', retry_count: 0, dead_at: expect.any(String) },
    });
    expect(body[0].per_hour).toHaveLength(24);
    expect(body[0].per_hour.reduce((sum: number, n: number) => sum + n)).toBe(2);
    expect(body[1]).toMatchObject({ error: 'timeout after # s', job_type: '', count: 1 });
    expect((await list('?order_by=last_seen')).body.map(({ count }: { count: number }) => count)).toEqual([2, 1]);

    const first = await list('?limit=1');
    expect([first.headers['x-has-more'], first.body]).toEqual(['true', [body[0]]]);
    expect((await list('?limit=1&offset=1')).body).toEqual([body[1]]);

    const group = await gateway.request('GET', `/jobs/dlq/groups/${body[0].id}?limit=1`, tenant.key);
    expect([group.status, group.headers['x-has-more']]).toEqual([200, 'true']);
    expect(group.body).toEqual({
      group: body[0],
      jobs: [expect.objectContaining({ id: newest, status: 'deadletter' })],
    });
    const rest = await gateway.request('GET', `/jobs/dlq/groups/${body[0].id}?limit=1&offset=1`, tenant.key);
    expect([rest.headers['x-has-more'], rest.body.jobs.map(({ id }: { id: string }) => id)]).toEqual([
      'false',
      [oldest],
    ]);
  });

  it('BX-06 show a scoped key its queues only, and nobody the groups of another organization', async () => {
    await die('mail', 'broken');
    await die('bills', 'broken');
    const scoped = await tenant.keyFor('mail');
    const [mail, bills] = ['mail', 'bills'].map(async (queue) => (await list(`?queue_name=${queue}`)).body[0].id);
    expect((await list('', scoped)).body.map(({ queue_name }: { queue_name: string }) => queue_name)).toEqual(['mail']);
    expect((await list('?queue_name=bills', scoped)).body).toEqual([]);
    const statusOf = async (id: string, key: string) =>
      (await gateway.request('GET', `/jobs/dlq/groups/${id}`, key)).status;
    expect(await statusOf(await mail!, scoped)).toBe(200);
    expect(await statusOf(await bills!, scoped)).toBe(404);
    expect(await statusOf(randomUUID(), tenant.key)).toBe(404);
    const other = await createTenant(database.superuserUrl);
    expect((await list('', other.key)).body).toEqual([]);
    expect(await statusOf(await mail!, other.key)).toBe(404);
  });
});
