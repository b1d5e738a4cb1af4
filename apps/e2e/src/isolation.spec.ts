import { createTenant } from '@spooled/testing';
import { RestCaller } from './rest-caller.js';
import { describedRoutes } from './route-probe.js';
import { type Tenant, TwoTenants } from './two-tenants.js';

/** BX-01: requests of Bob with Alice's ids return 404 or nothing, and change none of Alice's data. */
describe('REST requests with the ids of another organization', () => {
  let tenants: TwoTenants;
  let alice: Tenant;
  let bob: Tenant;

  beforeAll(async () => {
    tenants = await TwoTenants.open({ realtime: 0, webhooks: 0 });
    ({ alice, bob } = tenants);
  }, 120_000);
  afterAll(() => tenants?.close());

  it('BX-01 KF-04 on every route with ids: 404, or a response without data of the other organization, and no change', async () => {
    const before = await tenants.dataOfAlice();
    const withIds = describedRoutes().filter(({ path }) => path.includes('{') && !path.includes('check-slug'));
    expect(withIds.length).toBeGreaterThan(25);
    // Deletions last, so that the data still exists for all other requests.
    withIds.sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
    for (const route of withIds) {
      for (const path of tenants.foreignPaths(route)) {
        const body = route.body ?? (['POST', 'PUT', 'PATCH'].includes(route.method) ? {} : undefined);
        const response = await bob.rest.send(route.method, path, body);
        const context = { route: `${route.method} ${path}`, status: response.status };
        // Queue names are unique only within an organization; a key is no credential of an administrator.
        const expected = path.startsWith('/admin/') ? 401 : 404;
        if (!path.startsWith('/queues/')) expect(context).toEqual({ ...context, status: expected });
        const text = JSON.stringify(response.body ?? '').replaceAll(`"queue_name":"${alice.secret}"`, '');
        const secret = path.startsWith('/queues/') ? `{"secret":"${alice.secret}` : alice.secret;
        expect({ ...context, text }).toEqual({ ...context, text: expect.not.stringContaining(secret) });
      }
    }
    expect(await tenants.dataOfAlice()).toBe(before);
  }, 120_000);

  it('BX-01 routes with two ids find what belongs together', async () => {
    // Otherwise the test above would also pass if these routes found nothing at all.
    const [[workflow], [job]] = [alice.ids['/workflows']!, alice.ids['/workflows/{}/jobs']!];
    expect(await alice.rest.get(`/workflows/${workflow}/jobs/${job}`)).toMatchObject({ status: 200 });
    const [[hook], [delivery]] = [bob.ids['/outgoing-webhooks']!, bob.ids['/outgoing-webhooks/{}/retry']!];
    expect((await bob.rest.post(`/outgoing-webhooks/${hook}/retry/${delivery}`)).status).toBeLessThan(300);
  });

  it('BX-01 KF-04 with ids of another organization in bodies and queries', async () => {
    const before = await tenants.dataOfAlice();
    const [dead, held, waiting] = alice.ids['/jobs'] as [string, string, string];
    const { secret } = alice;
    expect((await bob.rest.get(`/jobs/status?ids=${dead},${held},${waiting}`)).body).toEqual([]);
    expect((await bob.rest.post('/jobs/dlq/retry', { job_ids: [dead] })).body).toEqual({
      retried_count: 0,
      retried_jobs: [],
      skipped_jobs: [],
    });
    expect((await bob.rest.post('/jobs/dlq/purge', { queue_name: secret, confirm: true })).body).toEqual({
      purged_count: 0,
    });
    expect((await bob.rest.post('/jobs/claim', { queue_name: secret, worker_id: secret })).body).toEqual({ jobs: [] });
    const child = { queue_name: secret, payload: {}, parent_job_id: waiting };
    expect((await bob.rest.post('/jobs', child)).status).toBe(400);
    const twin = await bob.rest.post('/jobs', { queue_name: secret, payload: {}, idempotency_key: secret });
    expect(twin).toMatchObject({ status: 201, body: { created: true } });
    const { job_id, ...proof } = alice.lease;
    expect((await bob.rest.post(`/jobs/${job_id}/complete`, proof)).status).toBe(404);
    const bulk = await bob.rest.post('/jobs/complete/bulk', { worker_id: secret, jobs: [{ job_id }] });
    expect(JSON.stringify(bulk.body)).toMatch(/not found/i);
    expect(await tenants.dataOfAlice()).toBe(before);
  });

  it('BX-01 two organizations can use the same worker id independently', async () => {
    const before = await tenants.dataOfAlice();
    const { secret } = alice;
    const register = { queue_name: secret, hostname: 'of-bob', worker_id: secret };
    expect(await bob.rest.post('/workers/register', register)).toMatchObject({ status: 201, body: { id: secret } });
    const heartbeat = { current_jobs: 1, status: 'degraded' };
    expect((await bob.rest.post(`/workers/${secret}/heartbeat`, heartbeat)).status).toBe(200);
    expect((await bob.rest.get(`/workers/${secret}`)).body).toMatchObject({ hostname: 'of-bob', status: 'degraded' });
    expect((await bob.rest.post(`/workers/${secret}/deregister`)).status).toBe(204);
    expect((await alice.rest.get(`/workers/${secret}`)).body).toMatchObject({ hostname: secret, status: 'healthy' });
    expect(await tenants.dataOfAlice()).toBe(before);
  });

  it('BX-01 on every route that lists or counts: no data of another organization', async () => {
    const lists = describedRoutes().filter(({ method, path }) => method === 'GET' && !path.includes('{'));
    expect(lists.length).toBeGreaterThan(8);
    const carol = new RestCaller(
      tenants.stack.baseUrl,
      (await createTenant(tenants.stack.databaseUrls.superuserUrl)).key,
    );
    for (const { path } of lists) {
      const { body } = await carol.get(path);
      const context = { path, text: JSON.stringify(body) };
      expect(context).toEqual({ path, text: expect.not.stringContaining(alice.secret) });
      for (const id of Object.values(alice.ids).flat()) expect(context.text).not.toContain(id);
    }
    expect((await carol.get('/jobs/stats')).body).toMatchObject({ total: 0 });
  });

  it('BX-01 X-Organization-ID never overrides the credential', async () => {
    const response = await fetch(`${tenants.stack.baseUrl}/api/v1/jobs/${alice.ids['/jobs']![0]}`, {
      headers: { authorization: `Bearer ${bob.key}`, 'x-organization-id': alice.organizationId },
    });
    expect(response.status).toBe(404);
  });
});
