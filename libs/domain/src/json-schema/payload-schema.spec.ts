import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { checkPayload, readPayloadSchema } from './payload-schema.js';
import { options, schemas, values } from './schemas.fixture.js';

const issuesOf = (schema: unknown, payload: unknown) =>
  checkPayload(readPayloadSchema(schema), payload, options).issues;
const pathsOf = (schema: unknown, payload: unknown) => issuesOf(schema, payload).map(({ path }) => path);
const uriOf = (length: number) => 'urn:'.padEnd(length, 'x');

/** Null: Ajv 8.20 throws, as it does for `anyOf` beside `patternProperties` with some payloads. */
function judgementOf(validate: (payload: unknown) => unknown, payload: unknown): boolean | null {
  try {
    return validate(payload) === true;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

describe('BX-09 payloads and schemas', () => {
  it('are judged as by Ajv', () => {
    let [valid, invalid] = [0, 0];
    const leaf = { type: ['string', 'array'], minLength: 2 };
    const property = fc.property(schemas, fc.array(values, { minLength: 5, maxLength: 15 }), (schema, payloads) => {
      // Ajv 8.20 accepts an empty array for `contains` beside `prefixItems`, and counts what failing alternatives have evaluated.
      const text = JSON.stringify(schema);
      fc.pre(!text.includes('"unevaluated') && (!text.includes('"prefixItems"') || !text.includes('"contains"')));
      const document = {
        $defs: { one: leaf, 'two/three': { properties: { a: { type: 'number' } } } },
        allOf: [schema],
      };
      const ajv = new Ajv2020({
        strict: false,
        ownProperties: true,
        validateSchema: false,
        meta: false,
        logger: false,
      });
      const theirs = ajv.compile(document);
      const ours = readPayloadSchema(document);
      for (const payload of payloads) {
        const expected = judgementOf(theirs, payload);
        if (expected === null) continue;
        if (expected) valid++;
        else invalid++;
        expect([payload, checkPayload(ours, payload, options).issues.length === 0]).toEqual([payload, expected]);
      }
    });
    fc.assert(property, { numRuns: 500 });
    // Otherwise the comparison would say little.
    expect(Math.min(valid, invalid)).toBeGreaterThan(200);
  });

  it('issues name the places in the payload', () => {
    const item = {
      type: 'object',
      required: ['sku'],
      properties: { sku: { type: 'string', pattern: '^[A-Z]{3}$' }, 'a b': { type: 'integer' } },
      additionalProperties: false,
    };
    const schema = { type: 'object', properties: { items: { type: 'array', items: item } } };
    expect(
      issuesOf(schema, { items: [{ sku: 'ABC' }, { sku: 'abc', 'a b': 1.5 }, {}, { sku: 'ABC', more: 1 }, 5] }),
    ).toEqual([
      { path: 'payload.items[1].sku', reason: 'must match the pattern ^[A-Z]{3}$' },
      { path: 'payload.items[1]["a b"]', reason: 'must be a whole number' },
      { path: 'payload.items[2].sku', reason: 'is required' },
      { path: 'payload.items[3].more', reason: 'is not allowed' },
      { path: 'payload.items[4]', reason: 'must be an object' },
    ]);
    expect(issuesOf(schema, { items: Array(30).fill({}) })).toHaveLength(20);
    expect(pathsOf({ additionalProperties: false }, { ['x'.repeat(100_000)]: 1 })[0]!.length).toBeLessThan(300);
  });

  it('names of the prototype are members like any other', () => {
    expect(pathsOf({ required: ['constructor', 'toString'] }, {})).toEqual(['payload.constructor', 'payload.toString']);
    expect(pathsOf({ properties: { constructor: { type: 'string' }, valueOf: false } }, {})).toEqual([]);
    const proto = JSON.parse(
      '{"properties": {"__proto__": {"type": "string"}}, "additionalProperties": false}',
    ) as object;
    expect(pathsOf(proto, JSON.parse('{"__proto__": 1}'))).toEqual(['payload.__proto__']);
    expect(pathsOf(proto, JSON.parse('{"__proto__": "x"}'))).toEqual([]);
  });

  it.each([
    ['multipleOf', { multipleOf: 0.01 }, [19.99, 4.35, 1e21, -0.07], [0.005, 19.999]],
    [
      'values with members in any order',
      { enum: [{ a: 1, b: [2] }] },
      [{ b: [2.0], a: 1 }],
      [{ a: 1 }, { a: 1, b: [2, 2] }],
    ],
    ['integer', { type: 'integer' }, [1, 1.0, 1e3], [1.1, '1']],
    [
      'date',
      { format: 'date' },
      ['2024-02-29', '2023-01-01', '2023-12-31', 5],
      [
        ...['2023-02-29', '2023-13-01', '2023-1-1', '2023-00-10', '2023-01-00'],
        ...['x2023-01-01', '2023-01-01x', 'undefined'],
      ],
    ],
    [
      'time',
      { format: 'time' },
      [
        ...['23:59:60Z', '10:00:00.5+02:00', '10:00:00.125z', '10:00:00+23:59', '10:00:00-23:59'],
        ...['01:59:60+02:00', '21:59:60-02:00', '05:29:60+05:30', '20:14:60-03:45'],
      ],
      [
        ...[
          '23:59:61Z',
          '10:00:00',
          '24:00:00Z',
          '10:60:00Z',
          '10:59:61Z',
          '10:59:60Z',
          '01:59:60-02:00',
          '05:59:60+05:30',
        ],
        ...['10:00:00+24:00', '10:00:00+02:60', 'x10:00:00Z', '10:00:00Zx', '10:00:00+02:00x'],
      ],
    ],
    [
      'date-time',
      { format: 'date-time' },
      ['2024-02-29T10:00:00Z', '2024-02-29t10:00:00z', '2024-02-29 10:00:00Z'],
      ['2024-02-29', '2024-02-30T10:00:00Z', '2024-02-29_10:00:00Z', '2024-02-29T25:00:00Z'],
    ],
    ['duration', { format: 'duration' }, ['P1Y2M3DT4H', 'P2W', 'PT5S'], ['P', 'PT', '1D', 'P1W2D']],
    ['email', { format: 'email' }, ['a.b+c@example.com'], ['a', 'a@', '.a@x.org', 'a b@x.org']],
    ['hostname', { format: 'hostname' }, ['example.com', 'a-b'], ['-a', 'a..b', 'x'.repeat(64)]],
    ['ipv4', { format: 'ipv4' }, ['127.0.0.1'], ['127.1', '256.0.0.1', '::1']],
    ['ipv6', { format: 'ipv6' }, ['::1', '2001:db8::1'], ['1.2.3.4', 'g::']],
    ['texts of at most 1,000 characters', { format: 'uri' }, [uriOf(1_000)], [uriOf(1_001)]],
    ['uri', { format: 'uri' }, ['https://example.com/a?b#c', 'urn:x:y'], ['/a', 'a b:c', 'http://a b']],
    ['uuid', { format: 'uuid' }, ['123E4567-e89b-12d3-a456-426614174000'], ['123e4567']],
    [
      'contains beside prefixItems',
      { prefixItems: [{ type: 'string' }], contains: { type: 'integer' }, maxContains: 1 },
      [
        ['a', 1],
        ['a', 1, 'b'],
      ],
      [[], ['a'], ['a', 1, 2]],
    ],
    [
      'unevaluated members',
      {
        allOf: [{ properties: { a: {} } }],
        anyOf: [{ required: ['x'], properties: { b: {} } }, {}],
        unevaluatedProperties: false,
      },
      [{ a: 1 }, {}],
      [{ a: 1, b: 1 }, { c: 1 }, { a: 1, b: 2, x: 3 }],
    ],
    [
      'unevaluated members after a condition',
      {
        if: { properties: { a: { const: 1 } }, required: ['a'] },
        then: { properties: { b: {} } },
        unevaluatedProperties: { type: 'null' },
      },
      [
        { a: 1, b: 5, c: null },
        { a: null, b: null },
      ],
      [{ a: 2 }, { b: 5 }, { a: 1, c: 5 }],
    ],
    [
      'unevaluated elements',
      { anyOf: [true, { prefixItems: [false] }], contains: { type: 'string' }, unevaluatedItems: false },
      [['a'], ['a', 'b']],
      [['a', 1], [1]],
    ],
    [
      'references that recur',
      { properties: { next: { $ref: '#' } }, required: ['id'] },
      [{ id: 1, next: { id: 2 } }],
      [{ id: 1, next: {} }],
    ],
    ['large counts', { maxLength: 3 }, ['😀😀😀'], ['abcd']],
  ])('%s', (_name, schema, valid: unknown[], invalid: unknown[]) => {
    expect(valid.filter((payload) => issuesOf(schema, payload).length > 0)).toEqual([]);
    expect(invalid.filter((payload) => issuesOf(schema, payload).length === 0)).toEqual([]);
  });
});

describe('BX-09 the time of a check', () => {
  const doubling = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [
      `d${i}`,
      { anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
    ]),
  );
  const tree = {
    anyOf: [
      { allOf: [{ properties: { a: { $ref: '#' } } }, { required: ['b'] }] },
      { allOf: [{ properties: { a: { $ref: '#' } } }, { required: ['c'] }] },
    ],
  };
  const deep = (levels: number): unknown => (levels === 0 ? {} : { a: deep(levels - 1) });
  const letters = Array.from({ length: 4_000 }, (_, i) => 'ab'[(i * i + (i >> 3)) % 2]).join('');

  it.each([
    ['alternatives that double', { $ref: '#/$defs/d0', $defs: { ...doubling, d60: false } }, 1],
    ['alternatives in a recursive schema', tree, deep(400)],
    ['a pattern that backtracks', { pattern: '^a*a*!$' }, 'a'.repeat(100_000)],
    ['a long pattern that nearly matches everywhere', { pattern: `${'.'.repeat(498)}!` }, 'a'.repeat(1_000_000)],
    ['a pattern with many states', { pattern: '^(a|b)*a(a|b){50}$' }, letters],
    ['many large values to compare', { items: { enum: [{ a: 1 }] } }, Array(100_000).fill({ a: 1 })],
    ['unique elements', { uniqueItems: true }, Array.from({ length: 400_000 }, (_, i) => ({ i }))],
    [
      'many schemas for many members',
      { allOf: Array(900).fill({ maxProperties: 1e6 }) },
      Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, 1])),
    ],
  ])('is bounded: %s', (_name, schema, payload) => {
    const { issues, steps } = checkPayload(readPayloadSchema(schema), payload, options);
    expect(issues).toEqual([{ path: 'payload', reason: 'takes too long to check against its contract' }]);
    expect(steps).toBeGreaterThan(0);
  });

  it('is bounded by CPU time if patterns need the linear engine', () => {
    const schema = readPayloadSchema({ items: { pattern: '^(?:a|b)+$' } });
    let now = 0;
    const busy = { ...options, cpuMs: () => (now += 10) };
    expect(checkPayload(schema, ['a', 'b'], busy).issues).toEqual([]);
    expect(checkPayload(schema, ['a', 'b', 'a', 'b', 'a'], busy).issues).toEqual([
      { path: 'payload', reason: 'takes too long to check against its contract' },
    ]);
  });

  it('says how much CPU time such patterns took', () => {
    const schema = readPayloadSchema({ items: { pattern: '^(?:a|b)+$' } });
    let now = 0;
    const busy = { ...options, cpuMs: () => (now += 10) };
    expect(checkPayload(schema, ['a', 'b'], busy)).toMatchObject({ issues: [], patternMs: 20 });
    expect(checkPayload(schema, [1], busy)).toMatchObject({ patternMs: 0 });
  });

  it('suffices for a long text and a pattern with an optional character', () => {
    expect(issuesOf({ pattern: 'https?://' }, `${'x'.repeat(500_000)}http://`)).toEqual([]);
  });

  it('suffices for large payloads', () => {
    const item = {
      type: 'object',
      required: ['sku', 'price'],
      properties: { sku: { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' }, price: { type: 'number', minimum: 0 } },
      additionalProperties: false,
    };
    const payload = Array.from({ length: 25_000 }, () => ({ sku: 'ABC-1234', price: 19.99 }));
    expect(JSON.stringify(payload).length).toBeGreaterThan(800_000);
    expect(issuesOf({ type: 'array', items: item }, payload)).toEqual([]);
  });
});
