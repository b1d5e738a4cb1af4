import { useTenant } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenant(database);

const send = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
  gateway.request(method, path, tenant.key, body);
const schedule = { name: 'n', cron_expression: '0 0 1 1 *', payload_template: {} };

describe('names of queues', () => {
  it.each([
    ['/jobs', (name: string) => ({ queue_name: name, payload: 1 })],
    ['/schedules', (name: string) => ({ ...schedule, queue_name: name })],
    ['/workflows', (name: string) => ({ name: 'w', jobs: [{ key: 'a', queue_name: name, payload: 1 }] })],
  ])('POST %s accepts 100 characters and rejects 101', async (path, body) => {
    expect((await send('POST', path, body('ü'.repeat(100)))).status).toBeLessThan(300);
    const { status, body: problem } = await send('POST', path, body('x'.repeat(101)));
    expect([status, problem.code, Object.keys(problem.details)[0]]).toEqual([
      400,
      'VALIDATION_ERROR',
      expect.stringContaining('queue_name'),
    ]);
  });

  it('a queue with a longer name, from a changed schedule or an inbound webhook, can be configured, served and claimed from', async () => {
    const name = 'x'.repeat(255);
    const { id } = (await send('POST', '/schedules', { ...schedule, queue_name: 'short' })).body as { id: string };
    expect((await send('PUT', `/schedules/${id}`, { queue_name: name })).status).toBe(200);
    const { job_id } = (await send('POST', `/schedules/${id}/trigger`)).body as { job_id: string };
    expect((await send('PUT', `/queues/${name}/config`, { max_retries: 1 })).status).toBe(200);
    expect((await send('POST', '/workers/register', { queue_name: name, hostname: 'h' })).status).toBe(201);
    const claimed = await send('POST', '/jobs/claim', { queue_name: name, worker_id: 'w' });
    expect(claimed.body.jobs).toMatchObject([{ id: job_id, queue_name: name }]);
    expect((await send('POST', '/jobs/claim', { queue_name: `${name}x`, worker_id: 'w' })).status).toBe(400);
  });
});
