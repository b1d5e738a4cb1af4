import { useTenant } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenant(database);

const nested = (levels: number): unknown => JSON.parse('[{"a":'.repeat(levels / 2) + '1' + '}]'.repeat(levels / 2));

it.each<[string, unknown]>([
  ['U+0000', { 'k\0': 'a\0b', job_type: 'x\0y' }],
  ['text that resembles half a surrogate pair', ['\\ud800', '\\\\ud800', '\u{1f600}']],
  ['a member named __proto__', JSON.parse('{"__proto__":{"a":1},"constructor":2}')],
  ['many levels', nested(400)],
  ['a plain string', 'text'],
  ['false', false],
  ['an empty key', { '': {} }],
  ['text that resembles SQL and JSON', `'); DROP TABLE jobs; -- {"p":1}`],
])('PB-32 returns payload and result unchanged: %s', async (_what, document) => {
  const { key } = tenant;
  const queue_name = 'odd';
  const { body } = await gateway.request('POST', '/jobs', key, { queue_name, payload: document });
  const claimed = await gateway.request('POST', '/jobs/claim', key, { queue_name, worker_id: 'w' });
  expect(JSON.stringify(claimed.body.jobs[0]?.payload)).toBe(JSON.stringify(document));
  const done = await gateway.request('POST', `/jobs/${body.id}/complete`, key, { worker_id: 'w', result: document });
  expect(done.status).toBe(200);
  const job = await gateway.request('GET', `/jobs/${body.id}`, key);
  expect(JSON.stringify([job.body.payload, job.body.result])).toBe(JSON.stringify([document, document]));
});

it.each([['\ud800'], ['a\\\\\udc00'], [{ 'k\udfff': 1 }]])(
  'rejects text that is not valid Unicode: %#',
  async (document) => {
    const { key } = tenant;
    const created = await gateway.request('POST', '/jobs', key, { queue_name: 'odd', payload: document });
    expect(created).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', details: { payload: 'must not contain half a surrogate pair' } },
    });
  },
);
