import { workerSchemas } from '@spooled/contracts';
import { createTenant, useSuperuser, useTenantForEach } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const superuser = useSuperuser(database);
const tenant = useTenantForEach(database);

const ask = (method: 'GET' | 'POST', path: string, body?: unknown, key = tenant.key) =>
  gateway.request(method, path, key, body);

async function send(method: 'GET' | 'POST', path: string, body?: unknown, key = tenant.key) {
  const response = await ask(method, path, body, key);
  expect([response.status < 300, response.body]).toEqual([true, response.body]);
  return response.body;
}

const register = (worker_id: string, version?: string, queue_name = 'mail', key = tenant.key) =>
  send('POST', '/workers/register', { queue_name, hostname: 'h', worker_id, version }, key);
const create = () => send('POST', '/jobs', { queue_name: 'mail', payload: {} });
const claim = async (worker_id: string): Promise<{ id: string; lease_id: string }[]> =>
  (await send('POST', '/jobs/claim', { queue_name: 'mail', worker_id, limit: 1 })).jobs;
const beat = (id: string) => send('POST', `/workers/${id}/heartbeat`, { current_jobs: 0 });

async function versions(key = tenant.key) {
  const found = workerSchemas.workerVersions.parse(await send('GET', '/worker-versions', undefined, key));
  return found.versions.map(({ version, workers, told_to_drain: told, drained, running_jobs: jobs }) => ({
    ...{ version, workers, told, drained, jobs },
  }));
}

describe('BX-25 the workers of a version', () => {
  it('BX-25 are drained until they hold no job, and taken back', async () => {
    await register('a', '1.0');
    await register('b', '1.0');
    await register('c', '2.0');
    await create();
    const [held] = await claim('a');
    const drained = await send('POST', '/worker-versions/drain', { version: '1.0' });
    expect(drained).toEqual({ version: '1.0', workers: 2, more: false });
    await create();
    expect([await claim('a'), await claim('b')]).toEqual([[], []]);
    expect(await beat('a')).toEqual({ status: 'draining', should_drain: true });
    expect(await versions()).toEqual([
      { version: '2.0', workers: 1, told: 0, drained: 0, jobs: 0 },
      { version: '1.0', workers: 2, told: 2, drained: 1, jobs: 1 },
    ]);
    await send('POST', `/jobs/${held!.id}/complete`, { worker_id: 'a', lease_id: held!.lease_id });
    expect((await versions())[1]).toEqual({ version: '1.0', workers: 2, told: 2, drained: 2, jobs: 0 });

    expect(await send('POST', '/worker-versions/resume', { version: '1.0' })).toEqual({ ...drained });
    expect(await beat('a')).toEqual({ status: 'healthy', should_drain: false });
    expect(await claim('b')).toHaveLength(1);
    expect((await versions())[1]).toEqual({ version: '1.0', workers: 2, told: 0, drained: 0, jobs: 1 });
  });

  it('BX-25 that registered none are a version as well, and offline workers are taken back without coming online', async () => {
    await register('a');
    await send('POST', '/worker-versions/drain', { version: null });
    await superuser.query(`UPDATE workers SET status = 'offline' WHERE organization_id = $1`, [tenant.organizationId]);
    expect(await versions()).toEqual([]);
    expect(await send('POST', '/worker-versions/resume', { version: null })).toMatchObject({ workers: 1 });
    expect(await send('GET', '/workers/a')).toMatchObject({ status: 'offline', drain_requested_at: null });
    expect(await beat('a')).toEqual({ status: 'healthy', should_drain: false });
  });

  it('BX-25 are drained once: a repeated request, an unknown version and a missing one are refused', async () => {
    await register('a', '1.0');
    await send('POST', '/worker-versions/drain', { version: '1.0' });
    for (const body of [{ version: '1.0' }, { version: '1' }, { version: null }]) {
      expect([body, (await ask('POST', '/worker-versions/drain', body)).status]).toEqual([body, 404]);
    }
    for (const body of [{}, { version: '1.0', queue_name: 'mail' }, { Version: '1.0' }]) {
      expect([body, (await ask('POST', '/worker-versions/drain', body)).status >= 400]).toEqual([body, true]);
    }
    const actions = async () =>
      ((await send('GET', '/audit')) as { action: string }[])
        .map(({ action }) => action)
        .filter((action) => action.startsWith('worker.'));
    expect(await actions()).toEqual(['worker.drained']);
    for (let i = 0; i < 2; i++) {
      expect(await send('POST', '/workers/a/resume', {})).toEqual({ id: 'a', status: 'healthy' });
    }
    expect(await actions()).toEqual(['worker.resumed', 'worker.drained']);
  });

  it('BX-25 count against the limit of the plan when they are taken back', async () => {
    const small = await createTenant(database.superuserUrl, { customLimits: { max_workers: 1 } });
    await register('a', '1.0', 'mail', small.key);
    await send('POST', '/workers/a/drain', {}, small.key);
    await register('b', '2.0', 'mail', small.key);
    expect((await ask('POST', '/workers/a/resume', {}, small.key)).status).toBe(429);
    expect((await ask('POST', '/worker-versions/resume', { version: '1.0' }, small.key)).status).toBe(429);
    await send('POST', '/workers/b/deregister', {}, small.key);
    expect(await send('POST', '/workers/a/resume', {}, small.key)).toEqual({ id: 'a', status: 'healthy' });
  });

  it('BX-25 BX-01 of other queues and organizations are neither shown nor drained, and viewers drain none', async () => {
    await register('a', '1.0');
    await register('b', '1.0', 'else');
    const other = await createTenant(database.superuserUrl);
    await register('a', '1.0', 'mail', other.key);
    const scoped = await tenant.keyFor('else');
    expect(await versions(scoped)).toEqual([{ version: '1.0', workers: 1, told: 0, drained: 0, jobs: 0 }]);
    expect(await send('POST', '/worker-versions/drain', { version: '1.0' }, scoped)).toMatchObject({ workers: 1 });
    expect((await versions())[0]).toMatchObject({ workers: 2, told: 1 });
    expect((await versions(other.key))[0]).toMatchObject({ workers: 1, told: 0 });
    expect((await ask('POST', '/workers/b/resume', {}, await tenant.keyFor('mail'))).status).toBe(404);
    const viewer = await tenant.keyAs('viewer');
    for (const path of ['/worker-versions/drain', '/worker-versions/resume', '/workers/a/resume']) {
      expect([path, (await ask('POST', path, { version: '1.0' }, viewer)).status]).toEqual([path, 403]);
    }
  });
});
