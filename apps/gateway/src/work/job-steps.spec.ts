import { useTenantForEach } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenantForEach(database);

describe('BX-18 steps over REST', () => {
  let id: string;
  let proof: object;
  beforeEach(async () => {
    await ask('POST', '/jobs', { queue_name: 'orders', payload: {} });
    const { body } = await ask('POST', '/jobs/claim', { queue_name: 'orders', worker_id: 'w' });
    ({ id } = body.jobs[0]);
    proof = { worker_id: 'w', lease_id: body.jobs[0].lease_id };
  });
  const ask = (method: 'GET' | 'POST', path: string, body?: object, key = tenant.key) =>
    gateway.request(method, path, key, body);

  it.each([
    ['steps', { step: 'charge', resutl: 1 }, 'resutl'],
    ['wait', { step: 'later', wait_for: 'sleep', wait_ms: 1000, waitMs: 1 }, 'waitMs'],
    ['signals', { step: 'approval', paylod: true }, 'paylod'],
  ])('%s refuse a misspelt member: what counts first cannot be corrected', async (route, body, member) => {
    const refused = await ask('POST', `/jobs/${id}/${route}`, { ...(route !== 'signals' && proof), ...body });
    expect(refused).toMatchObject({ status: 400, body: { details: { [member]: expect.any(String) } } });
    expect((await ask('GET', `/jobs/${id}/steps`)).body).toEqual({ steps: [] });
  });
});
