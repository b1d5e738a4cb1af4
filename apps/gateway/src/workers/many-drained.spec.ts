import { createTenant, eventually, useSuperuser, type TestTenant } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const superuser = useSuperuser(database);

/** Registered workers `prefix1` … that were told to drain, the last one 1 s ago and each other one 1 s before the next. */
const drainMany = ({ organizationId }: TestTenant, prefix: string, count: number) =>
  superuser.query(
    `INSERT INTO workers (organization_id, id, queue_name, hostname, status, drain_requested_at)
     SELECT $1, $2 || n, 'mail', 'h', 'draining', now() - make_interval(secs => $3 - n + 1) FROM generate_series(1, $3) AS n`,
    [organizationId, prefix, count],
  );

const send = async ({ key }: TestTenant, path: string, body: object) => {
  const answer = await gateway.request('POST', path, key, body);
  expect([answer.status < 300, answer.body]).toEqual([true, answer.body]);
  return answer.body;
};

const isGivenJobs = async (tenant: TestTenant, worker_id: string): Promise<boolean> => {
  await send(tenant, '/jobs', { queue_name: 'mail', payload: {} });
  return (await send(tenant, '/jobs/claim', { queue_name: 'mail', worker_id })).jobs.length > 0;
};

it('BX-25 BX-03 the drained workers of one organization do not displace those of others, only its own oldest', async () => {
  const tenants = await Promise.all(Array.from({ length: 8 }, () => createTenant(database.superuserUrl)));
  // Whichever of them has the lowest or the highest id, and in either order of draining.
  tenants.sort((a, b) => (a.organizationId < b.organizationId ? -1 : 1));
  const [first, last] = [tenants[0]!, tenants.at(-1)!];
  const many = tenants.slice(1, -1);
  await drainMany(first, 'w', 1);
  for (const tenant of many) await drainMany(tenant, 'w', 11_000);
  await send(last, '/workers/register', { queue_name: 'mail', hostname: 'h', worker_id: 'w1' });
  await send(last, '/workers/w1/drain', {});
  for (const tenant of [first, last]) expect(await isGivenJobs(tenant, 'w1')).toBe(false);
  for (const tenant of many) {
    expect(await isGivenJobs(tenant, 'w11000')).toBe(false);
    expect(await isGivenJobs(tenant, 'w1')).toBe(true);
  }
  // It closes one of its own for the new one.
  const [one] = many;
  await send(one!, '/workers/register', { queue_name: 'mail', hostname: 'h', worker_id: 'new' });
  await send(one!, '/workers/new/drain', {});
  expect(await isGivenJobs(one!, 'new')).toBe(false);
  // Once they are gone, the older ones count again.
  await superuser.query(`UPDATE workers SET status = 'offline' WHERE organization_id = $1 AND id NOT IN ('w1', 'w2')`, [
    one!.organizationId,
  ]);
  await eventually(async () => expect(await isGivenJobs(one!, 'w1')).toBe(false));
});
