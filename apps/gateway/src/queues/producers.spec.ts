import { producerSchemas } from '@spooled/contracts';
import { createTenant, useSuperuser, useTenantForEach } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const superuser = useSuperuser(database);
const tenant = useTenantForEach(database);

async function create(queue_name: string, more: object = {}, key = tenant.key): Promise<void> {
  const { status, body } = await gateway.request('POST', '/jobs', key, { queue_name, payload: {}, ...more });
  expect([status, body]).toEqual([201, body]);
}

async function producers(queue: string, query = '', key = tenant.key): Promise<producerSchemas.Producers> {
  const { status, body } = await gateway.request('GET', `/queues/${queue}/producers${query}`, key);
  expect([status, body]).toEqual([200, body]);
  return producerSchemas.producers.parse(body);
}

/** Jobs of other ages and types than requests could make quickly; the newest was created just now. */
const fill = (queue: string, count: number, secondsApart: number, type = `''`) =>
  superuser.query(
    `INSERT INTO jobs (id, organization_id, created_at, updated_at, timeout_seconds, priority, max_retries, queue_name, job_type, payload)
     SELECT uuidv7(), $1, now() - make_interval(secs => n * $4::double precision), now(), 300, 0, 3, $2, ${type}, '{}' FROM generate_series(0, $3::integer - 1) AS n`,
    [tenant.organizationId, queue, count, secondsApart],
  );

describe('BX-25 GET /api/v1/queues/{name}/producers', () => {
  it('BX-25 counts the newest jobs by creator, type and tag', async () => {
    const other = await tenant.keyFor('mail', 'else');
    for (const job_type of ['welcome', 'welcome', 'invoice']) {
      await create('mail', { payload: { job_type }, tags: { tenant: 'acme', batch: 7 } });
    }
    await create('mail', { tags: ['batch', 'x'] }, other);
    await create('else', {}, other);
    const found = await producers('mail');
    expect(found).toMatchObject({ queue_name: 'mail', jobs: 4, is_cut: false });
    expect(Date.parse(found.to) - Date.parse(found.from)).toBe(600_000);
    expect(found.by_actor).toEqual([
      { actor: { kind: 'key', id: expect.any(String), name: 'spec' }, jobs: 3, share: 0.75 },
      { actor: { kind: 'key', id: expect.any(String), name: 'spec' }, jobs: 1, share: 0.25 },
    ]);
    expect(found.by_job_type).toEqual([
      { job_type: 'welcome', jobs: 2, share: 0.5 },
      { job_type: null, jobs: 1, share: 0.25 },
      { job_type: 'invoice', jobs: 1, share: 0.25 },
    ]);
    expect(found.by_tag).toEqual([
      { tag: 'batch', jobs: 4, share: 1 },
      { tag: 'tenant', jobs: 3, share: 0.75 },
      { tag: 'x', jobs: 1, share: 0.25 },
    ]);
  });

  it('BX-25 looks at no more than the minutes asked for', async () => {
    await create('slow');
    await fill('slow', 100, 60);
    expect((await producers('slow', '?minutes=5')).jobs).toBe(6);
    expect((await producers('slow', '?minutes=60')).jobs).toBe(61);
    for (const minutes of ['0', '61']) {
      expect((await gateway.request('GET', `/queues/slow/producers?minutes=${minutes}`, tenant.key)).status).toBe(400);
    }
  });

  it('BX-25 of a flood covers a shorter period whole, and says so', async () => {
    await create('flood');
    await fill('flood', 15_000, 0.01, `'a'`);
    await fill('flood', 500, 1, `'b'`);
    const found = await producers('flood');
    expect(found.is_cut).toBe(true);
    // A third of the 20,000 for each of three types: 66 s of the most frequent one.
    const seconds = (Date.parse(found.to) - Date.parse(found.from)) / 1_000;
    expect([found.jobs > 6_000, found.jobs < 7_000, seconds > 60, seconds < 120]).toEqual([true, true, true, true]);
    expect(found.by_job_type.map(({ job_type }) => job_type)).toEqual(['a', 'b', null]);
  });

  it('BX-25 finds them among more than a hundred types', async () => {
    await create('varied');
    await fill('varied', 300, 1, `'type-' || n`);
    await fill('else', 50, 1);
    const found = await producers('varied');
    expect(found).toMatchObject({ jobs: 301, is_cut: false });
    expect(found.by_job_type).toHaveLength(20);
  });

  it('BX-25 BX-01 is 404 for an unknown queue, also one of another organization, and 403 outside the scope', async () => {
    await create('secret');
    const other = await createTenant(database.superuserUrl);
    const statusOf = async (queue: string, key: string) =>
      (await gateway.request('GET', `/queues/${queue}/producers`, key)).status;
    expect(await statusOf('secret', other.key)).toBe(404);
    expect(await statusOf('unknown', tenant.key)).toBe(404);
    expect(await statusOf('secret', await tenant.keyFor('open'))).toBe(403);
  });
});
