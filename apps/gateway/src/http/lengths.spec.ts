import { useTenant } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenant(database);

const emoji = (count: number) => '\u{1f600}'.repeat(count);
const post = (path: string, body: unknown) => gateway.request('POST', path, tenant.key, body);

describe('lengths count code points', () => {
  it('of errors, which are stored whole', async () => {
    const { body } = await post('/jobs', { queue_name: 'q', payload: 1, max_retries: 0 });
    await post('/jobs/claim', { queue_name: 'q', worker_id: 'w' });
    const fail = (error: string) => post(`/jobs/${body.id}/fail`, { worker_id: 'w', error });
    expect(await fail(emoji(2049))).toMatchObject({
      status: 400,
      body: { details: { error: 'must be at most 2048 characters' } },
    });
    expect((await fail(emoji(2048))).status).toBe(200);
    const job = await gateway.request('GET', `/jobs/${body.id}`, tenant.key);
    expect(job.body.last_error).toBe(emoji(2048));
  });

  it('of names and keys', async () => {
    const job = (idempotency_key: string) => post('/jobs', { queue_name: 'q', payload: 1, idempotency_key });
    expect((await job(emoji(255))).status).toBe(201);
    expect((await job(emoji(256))).body.details).toEqual({ idempotency_key: 'must be at most 255 characters' });
    const name = (text: string) => post('/organizations', { name: text, slug: 'a-slug' });
    expect((await name(emoji(2))).body.details).toEqual({ name: 'must have at least 3 characters' });
    expect((await name(emoji(101))).body.details).toEqual({ name: 'must be at most 100 characters' });
  });
});
