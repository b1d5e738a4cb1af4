import { sharedStack } from '@spooled/testing';
import { newQueue } from './job-steps.js';
import { RestCaller } from './rest-caller.js';

let rest: RestCaller;

beforeAll(async () => {
  const { baseUrl, apiKey } = await sharedStack();
  rest = new RestCaller(baseUrl, apiKey);
});

const times = <T>(length: number, make: (i: number) => T): T[] => Array.from({ length }, (_, i) => make(i));
const members = (count: number) => Object.fromEntries(times(count, (i) => [`k${i}`, i]));
const both = (reference: string) => ({ anyOf: [{ $ref: reference }, { $ref: reference }] });
const doubling = {
  $ref: '#/$defs/d0',
  $defs: { ...Object.fromEntries(times(60, (i) => [`d${i}`, both(`#/$defs/d${i + 1}`)])), d60: false },
};
/** Bits of the squares: texts without a period, for which the pattern needs many states. */
const letters = (seed: number) => times(250, (i) => 'ab'[(((i + seed) ** 2) >> 5) % 2]).join('');
const line = {
  type: 'object',
  properties: { sku: { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' } },
  additionalProperties: false,
};

interface Case {
  schema: object;
  payload: unknown;
  /** Whether the payload is valid; otherwise its check takes too long. */
  isValid?: boolean;
}

const cases: Record<string, Case> = {
  'alternatives that double': { schema: doubling, payload: 1 },
  'order lines': { schema: { items: line }, payload: times(25_000, () => ({ sku: 'ABC-1234' })), isValid: true },
  'a pattern with many states': {
    schema: { items: { anyOf: [{ pattern: '^(a|b)*a(a|b){50}$' }, {}] } },
    payload: times(3_000, letters),
  },
  'unique objects': { schema: { uniqueItems: true }, payload: times(60_000, (i) => ({ i })) },
  'many schemas for many members': {
    schema: { allOf: times(400, () => ({ additionalProperties: { type: 'number' } })) },
    payload: members(20_000),
  },
  'multiples of a tiny number': { schema: { items: { multipleOf: 1e-300 } }, payload: times(40_000, () => 1e308) },
};

it.each(Object.entries(cases))('BX-09 a check of %s ends', async (_name, { schema, payload, isValid = false }) => {
  const queue_name = newQueue();
  expect((await rest.put(`/queues/${queue_name}/payload-contract`, { schema })).status).toBe(200);
  const { status, body } = await rest.post('/jobs', { queue_name, payload });
  const details = { payload: 'takes too long to check against its contract' };
  expect([status, body]).toMatchObject(isValid ? [201, {}] : [400, { details }]);
});

it('BX-09 a bulk request is refused after its first payload that is too costly', async () => {
  const queue_name = newQueue();
  await rest.put(`/queues/${queue_name}/payload-contract`, { schema: doubling });
  const jobs = times(100, () => ({ payload: 1 }));
  expect(await rest.post('/jobs/bulk', { queue_name, jobs })).toMatchObject({
    status: 400,
    body: { details: { 'jobs[0].payload': 'takes too long to check against its contract' } },
  });
});
