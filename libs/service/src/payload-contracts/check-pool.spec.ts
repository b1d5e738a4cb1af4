import { maxSteps, readPayloadSchema } from '@spooled/domain';
import { checkPayload } from './check-payload.js';
import { CheckPool } from './check-pool.js';
import { type ReadySchema, RequestChecks } from './request-checks.js';

const both = (reference: string) => ({ anyOf: [{ $ref: reference }, { $ref: reference }] });
/** Takes 2^levels steps, and refuses every payload. */
const doubling = (levels: number) => {
  const $defs = Array.from({ length: levels }, (_, i) => [`d${i}`, both(`#/$defs/d${i + 1}`)]);
  return { $ref: '#/$defs/d0', $defs: { ...Object.fromEntries($defs), [`d${levels}`]: false } };
};
const ready = (schema: unknown) => ({ schema: readPayloadSchema(schema), text: JSON.stringify(schema) });
const endless = ready(doubling(60));
const report = { root: 'payload', maxIssues: 20 };
const payloadOf = (value: unknown) => ({ value: () => value, text: () => JSON.stringify(value) });
const checkOf = ({ text }: ReadySchema, payload: unknown = 1) => ({
  kind: 'check' as const,
  schema: text,
  payload: JSON.stringify(payload),
  ...report,
});

describe('BX-09 checks in another thread', () => {
  let pool: CheckPool;
  beforeAll(() => void (pool = new CheckPool()));
  afterAll(() => pool.onApplicationShutdown());

  it('have the same results as in this one', async () => {
    const sku = ready({ items: { pattern: '^[A-Z]{3}$' } });
    for (const [schema, payload] of [
      [sku, ['ABC', 'abc']],
      [sku, 5],
      [ready(doubling(8)), 1],
      [endless, 1],
    ] as const) {
      const here = checkPayload(schema.schema, payload, report);
      const { readCharacters, ...there } = await pool.run('a', checkOf(schema, payload));
      expect([there, readCharacters]).toEqual([here, expect.any(Number)]);
    }
  });

  it('take turns by organization', async () => {
    const order: string[] = [];
    const run = (organization: string) => pool.run(organization, checkOf(endless)).then(() => order.push(organization));
    await Promise.all(['a', 'a', 'a', 'a', 'b'].map(run));
    // One of a was running, and another one had its turn, when b came.
    expect(order.indexOf('b')).toBeLessThanOrEqual(2);
  });

  it('are refused to an organization with too many waiting, and not to others', async () => {
    const checks = Array.from({ length: 60 }, () => pool.run('a', checkOf(ready(doubling(4)))));
    const other = pool.run('b', checkOf(endless));
    const results = await Promise.allSettled(checks);
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(9);
    expect(refused[0]).toMatchObject({ reason: { code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 1 } });
    expect((await other).isTooCostly).toBe(true);
    expect((await pool.run('a', checkOf(endless))).isTooCostly).toBe(true);
  });

  it('are refused for a schema that cannot be read, and the thread goes on', async () => {
    const before = { type: 'object', required: ['a'] };
    const review = (after: unknown) =>
      pool.run('a', { kind: 'review', before: JSON.stringify(before), after: JSON.stringify(after), maxIssues: 20 });
    const unknown = { requried: [] };
    for (const refused of [review(unknown), pool.run('a', checkOf({ schema: null, text: JSON.stringify(unknown) }))]) {
      await expect(refused).rejects.toMatchObject({ path: 'schema.requried' });
    }
    expect((await review({ ...before, required: ['a', 'b'] })).incompatible).toEqual([
      { path: 'schema.required', reason: 'now requires b' },
    ]);
  });

  it('are dropped when their caller leaves before they begin', async () => {
    const caller = new AbortController();
    const first = pool.run('a', checkOf(endless));
    const second = pool.run('a', checkOf(endless), caller.signal);
    caller.abort();
    await expect(second).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect((await first).isTooCostly).toBe(true);
  });

  it('go on in a new thread when the thread ends', async () => {
    const failing = pool.run('a', { ...checkOf(endless), schema: 'no JSON' });
    const next = pool.run('a', checkOf(endless));
    await expect(failing).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect((await next).isTooCostly).toBe(true);
  });
});

describe('BX-09 the checks of one request', () => {
  const stepsOfOne = 250_000;
  const costly = { issues: [], isTooCostly: false, steps: stepsOfOne, patternMs: 0, readCharacters: 0 };
  /** Checks of a caller that keeps its charges; all that are passed on to another thread take as many steps. */
  const open = ({
    steps = stepsOfOne,
    readCharacters = 0,
    areParsed = true,
    ended = new AbortController().signal,
  } = {}) => {
    const charges: number[] = [];
    let passed = 0;
    const run = () => {
      passed++;
      return Promise.resolve({ ...costly, steps, readCharacters, incompatible: [] });
    };
    const pool = { run } as unknown as CheckPool;
    const charge = (tokens: number) => Promise.resolve(charges.push(tokens));
    const checks = new RequestChecks({ caller: { organizationId: 'a', ended, charge }, pool, areParsed });
    return { checks, pool, charges, passedOn: () => passed };
  };
  /** How many of `count` payloads went to the other thread. */
  const passedOn = async (schema: ReadySchema, count: number, areParsed: boolean) => {
    const { checks, passedOn: passed } = open({ steps: maxSteps, areParsed });
    for (let i = 0; i < count && !checks.isSpent; i++) await checks.check(schema, payloadOf(1), report);
    return passed();
  };
  const cheap = ready({ type: 'number' });

  it('are made at once if they are cheap', async () => {
    expect(await passedOn(cheap, 100, true)).toBe(0);
  });

  it('are passed on from the first one that is not', async () => {
    expect(await passedOn(endless, 4, true)).toBe(4);
    // About 13,000 steps each, of which 50,000 are made at once.
    expect(await passedOn(ready(doubling(12)), 8, true)).toBe(5);
    expect(await passedOn(cheap, 4, false)).toBe(4);
    // Its schema is read there.
    expect(await passedOn({ ...cheap, schema: null }, 4, true)).toBe(4);
  });

  it('end with their budget', async () => {
    expect(await passedOn(endless, 100, true)).toBe(5);
  });

  it('cost a token for each 100,000 steps beyond the first 50,000, together', async () => {
    const { checks, charges } = open();
    for (let i = 0; i < 3; i++) await checks.check(endless, payloadOf(1), report);
    // 250,000, 500,000 and 750,000 steps so far.
    expect(charges).toEqual([2, 3, 2]);
  });

  it('cost nothing while they are cheap', async () => {
    const { checks, charges } = open({ steps: 500, areParsed: false });
    for (let i = 0; i < 100; i++) await checks.check(cheap, payloadOf(1), report);
    expect(charges).toEqual([]);
    await checks.check(cheap, payloadOf(1), report);
    expect(charges).toEqual([1]);
  });

  it('cost the reading of a schema as well, which takes nothing from their budget', async () => {
    const reading = open({ steps: 0, readCharacters: 200_000 });
    await reading.checks.check({ ...cheap, schema: null }, payloadOf(1), report);
    await reading.checks.review(reading.pool, { before: null, after: '{}', maxIssues: 20 });
    expect(reading.charges).toEqual([20, 20]);
    for (let i = 0; i < 3; i++) await reading.checks.check({ ...cheap, schema: null }, payloadOf(1), report);
    expect(reading.checks.isSpent).toBe(false);
  });

  it.each([
    ['at once', ready({ type: 'number' })],
    ['in the other thread', endless],
  ])('end when their caller leaves: those %s', async (_where, schema) => {
    const caller = new AbortController();
    const { checks, passedOn: passed } = open({ ended: caller.signal });
    await checks.check(schema, payloadOf(1), report);
    const before = passed();
    caller.abort();
    await expect(checks.check(schema, payloadOf(1), report)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(passed()).toBe(before);
  });
});
