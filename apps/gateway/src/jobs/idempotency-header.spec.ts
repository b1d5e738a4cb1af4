import { useTenantForEach } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenantForEach(database);

const post = async (path: string, key: string, body: object = {}) => {
  const { statusCode, body: text } = await gateway.app.inject({
    method: 'POST',
    url: `/api/v1${path}`,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${tenant.key}`,
      'idempotency-key': key,
    },
    payload: JSON.stringify(body),
  });
  return { status: statusCode, body: JSON.parse(text) };
};
const job = { queue_name: 'mails', payload: {} };

describe('KF-16 the header Idempotency-Key', () => {
  it('creates one job however often the request is sent, as idempotency_key does', async () => {
    const first = await post('/jobs', 'order-1', job);
    expect(first).toMatchObject({ status: 201, body: { created: true } });
    const again = { status: 200, body: { id: first.body.id, created: false } };
    expect(await post('/jobs', 'order-1', { ...job, idempotency_key: null })).toEqual(again);
    expect(await post('/jobs', 'order-1', { ...job, idempotency_key: 'order-1' })).toEqual(again);
    expect(await post('/jobs', '', { ...job, idempotency_key: 'order-1' })).toEqual(again);
    expect((await gateway.request('GET', `/jobs/${first.body.id}`, tenant.key)).body.idempotency_key).toBe('order-1');
    expect(await post('/jobs', 'order-2', job)).toMatchObject({ status: 201 });
  });

  it('is refused beside another key, and if it is too long', async () => {
    const differs = await post('/jobs', 'order-1', { ...job, idempotency_key: 'order-2' });
    expect(differs).toMatchObject({ status: 400, body: { details: { idempotency_key: expect.any(String) } } });
    const tooLong = await post('/jobs', 'x'.repeat(256), job);
    expect(tooLong).toMatchObject({ status: 400, body: { details: { 'Idempotency-Key': expect.any(String) } } });
    expect((await gateway.request('GET', '/jobs', tenant.key)).body).toEqual([]);
  });

  it.each(['/batches', '/batches/x/jobs'])(
    'is refused where a repeated request creates more jobs, and no published SDK calls: %s',
    async (path) => {
      const { status, body } = await post(path, 'order-1');
      expect([status, body.message]).toEqual([400, expect.stringContaining('Idempotency-Key has no effect here')]);
    },
  );
});
