import { call, closeRoutes, create, job, openRoutes, succeed } from './exact-numbers.fixture.js';

beforeAll(openRoutes);
afterAll(closeRoutes);

it('BX-13 a document whose numbers become too long without exponents is refused', async () => {
  const tags = `[${'1e308,'.repeat(300)}1]`;
  const { status, text } = await call('POST', '/jobs', `{"queue_name":"q","payload":1,"tags":${tags}}`);
  expect([status, JSON.parse(text)]).toMatchObject([400, { details: { tags: 'must not exceed 64 KB' } }]);
});

it('BX-13 numbers in a long body keep their digits', async () => {
  const filler = JSON.stringify(Array.from({ length: 30_000 }, (_, i) => i));
  const document = `{"id":9007199254740993,"filler":${filler}}`;
  const id = await create('/jobs', `{"queue_name" : "q", "payload" : ${document} }`);
  expect(await succeed('GET', `/jobs/${id}`)).toContain(document);
});

it.each(['\\ud83d\\ude00\\u00e9\\u0000', '\\\\ud800'])(
  'BX-13 escapes of a document with such numbers stay: %s',
  async (escapes) => {
    const document = `{"id":9007199254740993,"text":"${escapes}"}`;
    const id = await create('/jobs', job(document));
    expect(await succeed('GET', `/jobs/${id}`)).toContain(document);
  },
);

it('a document with such numbers must be valid Unicode too', async () => {
  const { status, text } = await call('POST', '/jobs', job('{"id":9007199254740993,"text":"\\ud83d"}'));
  const details = { payload: 'must not contain half a surrogate pair' };
  expect([status, JSON.parse(text)]).toMatchObject([400, { details }]);
});

it('numbers of ordinary members are not affected', async () => {
  expect((await call('POST', '/jobs', '{"queue_name":"q","payload":1,"priority":5.0}')).status).toBe(201);
  expect((await call('POST', '/jobs', '{"queue_name":"q","payload":1,"priority":9007199254740993}')).status).toBe(400);
});

it.each(['{"queue_name":"q"}', '{"queue_name":"q","payload":null}'])(
  'a job without a payload is 422: %s',
  async (body) => {
    const { status, text } = await call('POST', '/jobs', body);
    expect([status, JSON.parse(text)]).toMatchObject([422, { details: { payload: 'is required' } }]);
  },
);
