import { useTenantForEach } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenantForEach(database);

describe('BX-18 logs over REST', () => {
  let id: string;
  let proof: { worker_id: string; lease_id: string };
  beforeEach(async () => {
    await ask('POST', '/jobs', { queue_name: 'orders', payload: {} });
    const { body } = await ask('POST', '/jobs/claim', { queue_name: 'orders', worker_id: 'w' });
    ({ id } = body.jobs[0]);
    proof = { worker_id: 'w', lease_id: body.jobs[0].lease_id };
  });
  const ask = (method: 'GET' | 'POST', path: string, body?: object, key = tenant.key) =>
    gateway.request(method, path, key, body);
  const report = (lines: object[], key?: string) => ask('POST', `/jobs/${id}/logs`, { ...proof, lines }, key);
  const messages = async (query: string) => {
    const { body } = await ask('GET', `/jobs/${id}/logs${query}`);
    const lines = body.lines as { message: string }[];
    return { ...body, lines: lines.map(({ message }) => message) };
  };

  it('come in pages, and the last cursor leads to lines that are added later', async () => {
    expect(await messages('')).toEqual({ lines: [], attempts: [], next_cursor: null, has_more: false });
    await report([1, 2, 3].map((number) => ({ number, message: `line ${number}` })));
    const attempts = [{ attempt: 1, lease_id: proof.lease_id, kept: 3, omitted: 0 }];
    const first = await messages('?limit=2');
    expect(first).toMatchObject({ lines: ['line 1', 'line 2'], attempts, has_more: true });
    const second = await messages(`?limit=2&cursor=${first.next_cursor}`);
    expect(second).toMatchObject({ lines: ['line 3'], has_more: false });
    expect(await messages(`?cursor=${second.next_cursor}`)).toMatchObject({ ...second, lines: [] });
    await report([{ number: 4, level: 'warn', message: 'slow', fields: { ms: 900 } }]);
    const { body } = await ask('GET', `/jobs/${id}/logs?cursor=${second.next_cursor}`);
    const line = {
      attempt: 1,
      lease_id: proof.lease_id,
      number: 4,
      level: 'warn',
      message: 'slow',
      fields: { ms: 900 },
    };
    expect(body.lines).toEqual([{ ...line, at: expect.any(String) }]);
    expect(await messages('?attempt=2')).toMatchObject({ lines: [] });
    expect(await messages(`?lease_id=${proof.lease_id}&limit=1`)).toMatchObject({ lines: ['line 1'] });
  });

  it('replace what PostgreSQL cannot hold, and keep their fields as they were sent', async () => {
    await report([{ number: 1, message: 'a\u0000b\ud800', fields: { text: 'a\u0000' } }]);
    const { body } = await ask('GET', `/jobs/${id}/logs`);
    expect(body.lines).toMatchObject([{ message: 'a\ufffdb\ufffd', fields: { text: 'a\u0000' } }]);
  });

  it.each([
    [[], 'lines'],
    [[{ message: 'x' }], 'lines[0].number'],
    [[{ number: 0, message: 'x' }], 'lines[0].number'],
    [[{ number: 1, message: 'x'.repeat(1_001) }], 'lines[0].message'],
    [[{ number: 1, message: 'x', level: 'fatal' }], 'lines[0].level'],
    [[{ number: 1, message: 'x', data: 1 }], 'lines[0].data'],
    [[{ number: 1, message: 'x', fields: 'x'.repeat(4_096) }], 'lines[0].fields'],
    [Array.from({ length: 201 }, (_, i) => ({ number: i + 1, message: 'x' })), 'lines'],
  ])('refuse %# what is out of bounds, naming it', async (lines, member) => {
    const { status, body } = await report(lines);
    expect([400, 422]).toContain(status);
    expect(Object.keys(body.details)).toEqual([member]);
    expect(await messages('')).toMatchObject({ lines: [] });
  });

  it('are for keys of the queue of their job, and of the role', async () => {
    await report([{ number: 1, message: 'x' }]);
    const get = async (key: string) => (await ask('GET', `/jobs/${id}/logs`, undefined, key)).status;
    expect(await get(await tenant.keyFor('orders'))).toBe(200);
    const other = await tenant.keyFor('other');
    expect(await get(other)).toBe(404);
    expect((await report([{ number: 2, message: 'x' }], other)).status).toBe(404);
    expect(await messages('')).toMatchObject({ lines: ['x'] });
    expect((await ask('GET', `/jobs/${id}/logs?cursor=zz`)).status).toBe(400);
  });
});
