import { useTenantForEach } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenantForEach(database);

const post = (path: string, body: object) => gateway.request('POST', path, tenant.key, body);
const cancel = (id: string, body: object = {}) => post(`/jobs/${id}/cancellation`, body);

async function running() {
  await post('/jobs', { queue_name: 'mail', payload: {} });
  const { body } = await post('/jobs/claim', { queue_name: 'mail', worker_id: 'w' });
  const [{ id, lease_id }] = body.jobs;
  return { id: id as string, proof: { worker_id: 'w', lease_id } };
}

it('BX-30 a running job answers 202, its worker learns it from the heartbeat, and its failure cancels it', async () => {
  const { id, proof } = await running();
  expect((await gateway.request('DELETE', `/jobs/${id}`, tenant.key)).status).toBe(409);
  const asked = await cancel(id, { reason: 'wrong customer', grace_seconds: 60 });
  expect(asked).toMatchObject({ status: 202, body: { job_id: id, status: 'processing' } });
  const { cancel_requested_at } = asked.body;
  expect(await cancel(id)).toMatchObject({ status: 202, body: { cancel_requested_at } });
  expect((await gateway.request('GET', `/jobs/${id}`, tenant.key)).body).toMatchObject({ cancel_requested_at });
  const { body: renewed } = await post(`/jobs/${id}/heartbeat`, proof);
  expect(renewed).toEqual({ success: true, lease_expires_at: expect.any(String), cancel_requested: true });
  const { body: failed } = await post(`/jobs/${id}/fail`, { ...proof, error: 'stopped' });
  expect(failed).toEqual({ success: true, will_retry: false, next_retry_delay_secs: 0, cancelled: true });
  expect((await gateway.request('GET', `/jobs/${id}`, tenant.key)).body).toMatchObject({
    status: 'cancelled',
    last_error: 'stopped',
    cancel_requested_at: null,
  });
});

it('BX-30 replies of jobs without a request are those of the published server', async () => {
  const { id, proof } = await running();
  const { body: renewed } = await post(`/jobs/${id}/heartbeat`, proof);
  expect(Object.keys(renewed)).toEqual(['success', 'lease_expires_at']);
  const { body: failed } = await post(`/jobs/${id}/fail`, { ...proof, error: 'broken' });
  expect(Object.keys(failed)).toEqual(['success', 'will_retry', 'next_retry_delay_secs']);
});

it('BX-30 a forced cancellation answers 200, and the worker has lost its lease', async () => {
  const { id, proof } = await running();
  expect(await cancel(id, { force: true })).toMatchObject({ status: 200, body: { status: 'cancelled' } });
  expect(await post(`/jobs/${id}/complete`, proof)).toMatchObject({ status: 409, body: { code: 'LEASE_EXPIRED' } });
  expect((await cancel(id)).status).toBe(409);
});

it('BX-30 a waiting job is cancelled at once', async () => {
  const { body } = await post('/jobs', { queue_name: 'mail', payload: {} });
  expect(await cancel(body.id)).toMatchObject({
    status: 200,
    body: { status: 'cancelled', cancel_requested_at: null },
  });
});

it.each([
  [{ reasons: 'misspelt' }, 'reasons'],
  [{ forced: true }, 'forced'],
  [{ reason: '' }, 'reason'],
  [{ grace_seconds: 0 }, 'grace_seconds'],
  [{ grace_seconds: 86_401 }, 'grace_seconds'],
  [{ force: true, grace_seconds: 5 }, 'grace_seconds'],
])('BX-30 %j is refused, with the member named, and changes nothing', async (body, member) => {
  const { id } = await running();
  const refused = await cancel(id, body);
  expect([refused.status, Object.keys(refused.body.details)]).toEqual([400, [member]]);
  expect((await gateway.request('GET', `/jobs/${id}`, tenant.key)).body).toMatchObject({
    status: 'processing',
    cancel_requested_at: null,
  });
});
