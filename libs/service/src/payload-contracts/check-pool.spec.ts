import { maxSteps, type PayloadCheck, readPayloadSchema } from '@spooled/domain';
import { checkPayload } from './check-payload.js';
import { CheckPool } from './check-pool.js';
import { type ReadySchema, RequestChecks } from './request-checks.js';

const both = (reference: string) => ({ anyOf: [{ $ref: reference }, { $ref: reference }] });
/** Takes 2^levels steps, and refuses every payload. */
const doubling = (levels: number) => {
  const $defs = Array.from({ length: levels }, (_, i) => [`d${i}`, both(`#/$defs/d${i + 1}`)]);
  return { $ref: '#/$defs/d0', $defs: { ...Object.fromEntries($defs), [`d${levels}`]: false } };
};
const ready = (schema: unknown): ReadySchema => ({ schema: readPayloadSchema(schema), text: JSON.stringify(schema) });
const endless = ready(doubling(60));
const report = { root: 'payload', maxIssues: 20 };
const payloadOf = (value: unknown) => ({ value: () => value, text: () => JSON.stringify(value) });
const checkOf = ({ text }: ReadySchema, payload: unknown = 1) => ({
  schema: text,
  payload: JSON.stringify(payload),
  ...report,
});

describe('BX-09 checks in another thread', () => {
  let pool: CheckPool;
  beforeAll(() => {
    pool = new CheckPool();
  });
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
      expect(await pool.run('a', checkOf(schema, payload))).toEqual(here);
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

  it('are dropped when their caller disconnects before they begin', async () => {
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
  const valid: PayloadCheck = { issues: [], isTooCostly: false, steps: maxSteps, patternMs: 0 };
  /** How many of `count` payloads went to the other thread, and what that cost. */
  const passedOn = async (schema: ReadySchema, count: number, areParsed: boolean) => {
    let passed = 0;
    const pool = { run: () => (passed++, Promise.resolve(valid)) } as unknown as CheckPool;
    const checks = new RequestChecks({ organizationId: 'a', pool, areParsed });
    for (let i = 0; i < count && !checks.isSpent; i++) await checks.check(schema, payloadOf(1), report);
    return passed;
  };

  it('are made at once if they are cheap', async () => {
    expect(await passedOn(ready({ type: 'number' }), 100, true)).toBe(0);
  });

  it('are passed on from the first one that is not', async () => {
    expect(await passedOn(endless, 4, true)).toBe(4);
    // About 13,000 steps each, of which 50,000 are made at once.
    expect(await passedOn(ready(doubling(12)), 8, true)).toBe(5);
    expect(await passedOn(ready({ type: 'number' }), 4, false)).toBe(4);
  });

  it('end with their budget', async () => {
    expect(await passedOn(endless, 100, true)).toBe(5);
  });
});
