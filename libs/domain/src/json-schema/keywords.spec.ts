import { checkPayload, readPayloadSchema } from './payload-schema.js';
import { options } from './schemas.fixture.js';

const check = (schema: unknown, payload: unknown) => checkPayload(readPayloadSchema(schema), payload, options);
/** As `.path reason`, where the path of the payload itself is empty. */
const issuesOf = (schema: unknown, payload: unknown) =>
  check(schema, payload).issues.map(({ path, reason }) => `${path.slice('payload'.length)} ${reason}`.trim());
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

type Case = [schema: object, valid: unknown[], invalid: [payload: unknown, ...issues: string[]][]];

/** Each payload is checked by the schema, and as an alternative, where no issue but only the result counts. */
function judge(schema: object, valid: unknown[], invalid: [payload: unknown, ...issues: string[]][]) {
  for (const payload of valid) expect([payload, ...issuesOf(schema, payload)]).toEqual([payload]);
  for (const [payload, ...issues] of invalid)
    expect([payload, ...issuesOf(schema, payload)]).toEqual([payload, ...issues]);
  const accepted = (payload: unknown) => [
    issuesOf({ anyOf: [schema] }, payload).length === 0,
    issuesOf({ not: schema }, payload).length > 0,
  ];
  for (const payload of valid) expect([payload, accepted(payload)]).toEqual([payload, [true, true]]);
  for (const [payload] of invalid) expect([payload, accepted(payload)]).toEqual([payload, [false, false]]);
}

describe('BX-09 keywords about any value', () => {
  it.each<Case>([
    [{ type: 'boolean' }, [true, false], [['true', 'must be a boolean']]],
    [
      { type: ['null', 'object', 'array', 'integer', 'string'] },
      [null, {}, [], 1, ''],
      [
        [true, 'must be null or an object or an array or a whole number or a string'],
        [1.5, 'must be null or an object or an array or a whole number or a string'],
      ],
    ],
    [
      { enum: ['a', 1, null] },
      ['a', 1, null],
      [
        ['b', 'must be one of "a", 1, null'],
        [{}, 'must be one of "a", 1, null'],
        [[], 'must be one of "a", 1, null'],
      ],
    ],
    [
      { enum: [{ a: 1 }] },
      [{ a: 1 }],
      [
        [{ a: 2 }, 'must be {"a":1}'],
        [1, 'must be {"a":1}'],
      ],
    ],
    [{ const: 'a' }, ['a'], [['b', 'must be "a"']]],
    [{ enum: upTo(10) }, upTo(10), [[11, 'must be one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10']]],
    [{ enum: upTo(11) }, upTo(11), [[12, 'must be one of the allowed values']]],
    [{ const: 'x'.repeat(98) }, [], [['b', `must be "${'x'.repeat(98)}"`]]],
    [{ const: 'x'.repeat(99) }, [], [['b', 'must be one of the allowed values']]],
    [{ anyOf: [false, { type: 'string' }] }, ['a'], [[1, 'must match at least one of 2 schemas']]],
    [
      { oneOf: [{ type: 'string' }, { minLength: 2 }, { minLength: 3 }] },
      ['a'],
      [
        ['ab', 'must match exactly one of 3 schemas, not several'],
        ['abc', 'must match exactly one of 3 schemas, not several'],
      ],
    ],
    [{ oneOf: [false, false] }, [], [[1, 'must match exactly one of 2 schemas, not none']]],
    [{ not: { type: 'string' } }, [1], [['a', 'must not match the schema of "not"']]],
    [
      { allOf: [{ minLength: 3 }, { pattern: 'a' }] },
      ['abc'],
      [
        ['b', 'must have at least 3 characters', 'must match the pattern a'],
        ['a', 'must have at least 3 characters'],
        ['bcd', 'must match the pattern a'],
      ],
    ],
    [
      { if: { type: 'string' }, then: { minLength: 2 }, else: { type: 'null' } },
      ['ab', null],
      [
        ['a', 'must have at least 2 characters'],
        [1, 'must be null'],
      ],
    ],
    [{ if: { type: 'string' } }, ['a', 1], []],
    [{ then: false, else: false }, ['a', 1], []],
  ])('%j', judge);
});

describe('BX-09 keywords about numbers and texts', () => {
  it.each<Case>([
    [{ minimum: 3 }, [3, 4, '2'], [[2.9, 'must be at least 3']]],
    [{ maximum: 3 }, [3, 2, '4'], [[3.1, 'must be at most 3']]],
    [{ exclusiveMinimum: 3 }, [3.1, '2'], [[3, 'must be more than 3']]],
    [{ exclusiveMaximum: 3 }, [2.9, '4'], [[3, 'must be less than 3']]],
    [{ multipleOf: 0.5 }, [1.5, 0, 1e21, 'x'], [[0.75, 'must be a multiple of 0.5']]],
    [{ multipleOf: 0.3 }, [0.9, 3], [[1, 'must be a multiple of 0.3']]],
    [{ minLength: 0, minItems: 0, minProperties: 0 }, ['', [], {}], []],
    [{ minLength: 1 }, ['a', 5], [['', 'must have at least 1 character']]],
    [{ minLength: 2 }, ['ab'], [['a', 'must have at least 2 characters']]],
    [{ maxLength: 1 }, ['a', 5], [['ab', 'must have at most 1 character']]],
    [{ maxLength: 0 }, [''], [['a', 'must have at most 0 characters']]],
    [{ pattern: 'b'.repeat(100) }, ['b'.repeat(100), 5], [['a', `must match the pattern ${'b'.repeat(100)}`]]],
    [{ pattern: 'b'.repeat(101) }, ['b'.repeat(101)], [['a', 'must match the pattern']]],
    [{ pattern: '^.$' }, ['a', '😀'], [['ab', 'must match the pattern ^.$']]],
    [{ pattern: '^a\\$' }, ['a$'], [['a', 'must match the pattern ^a\\$']]],
    [{ pattern: 'b{2}$' }, ['abb'], [['bba', 'must match the pattern b{2}$']]],
    [{ format: 'date' }, ['2026-01-31', 5], [['x', 'must have the format date']]],
  ])('%j', judge);
});

describe('BX-09 keywords about objects', () => {
  it.each<Case>([
    [{ minProperties: 1 }, [{ a: 1 }, 5], [[{}, 'must have at least 1 member']]],
    [{ maxProperties: 1 }, [{ a: 1 }, 5], [[{ a: 1, b: 2 }, 'must have at most 1 member']]],
    [
      { required: ['a', 'b'] },
      [{ a: 1, b: 2 }, 5],
      [
        [{}, '.a is required', '.b is required'],
        [{ a: 1 }, '.b is required'],
        [{ b: 1 }, '.a is required'],
      ],
    ],
    [
      { properties: { a: false, b: { type: 'null' } } },
      [{ b: null, c: 1 }, 5],
      [
        [{ a: 1, b: null }, '.a is not allowed'],
        [{ a: 1, b: 2 }, '.a is not allowed', '.b must be null'],
      ],
    ],
    [
      { patternProperties: { '^a': { type: 'string' }, b: { minLength: 2 } } },
      [{ a: '', b: 'ab', c: 1 }, 5],
      [
        [{ a1: 1, a2: 'x' }, '.a1 must be a string'],
        [{ a1: 'x', a2: 1 }, '.a2 must be a string'],
        [{ ab: '' }, '.ab must have at least 2 characters'],
      ],
    ],
    [
      { properties: { a: true }, patternProperties: { '^p': true }, additionalProperties: { type: 'number' } },
      [{ a: 'x', p1: 'x', z: 1 }, {}, 5],
      [
        [{ y: 'x', z: 1 }, '.y must be a number'],
        [{ y: 1, z: 'x' }, '.z must be a number'],
        [{ y: 'x', z: 'x' }, '.y must be a number', '.z must be a number'],
      ],
    ],
    [
      { propertyNames: { maxLength: 1 } },
      [{ a: 1, b: 2 }, 5],
      [
        [{ aa: 1, b: 2 }, '.aa has a name that is not allowed'],
        [{ b: 1, aa: 2 }, '.aa has a name that is not allowed'],
      ],
    ],
    [
      { dependentRequired: { a: ['b'], c: ['d'] } },
      [{}, { b: 1, d: 1 }, { a: 1, b: 1 }, 5],
      [
        [{ a: 1, c: 1, d: 1 }, '.b is required'],
        [{ a: 1, b: 1, c: 1 }, '.d is required'],
        [{ a: 1, c: 1 }, '.b is required', '.d is required'],
      ],
    ],
    [
      { dependentSchemas: { a: { required: ['b'] }, c: false } },
      [{}, { a: 1, b: 1 }, 5],
      [
        [{ a: 1 }, '.b is required'],
        [{ c: 1 }, 'is not allowed'],
      ],
    ],
    [
      { properties: { a: true }, unevaluatedProperties: { type: 'number' } },
      [{ a: 'x', b: 1 }, {}, 5],
      [
        [{ b: 'x', c: 1 }, '.b must be a number'],
        [{ b: 1, c: 'x' }, '.c must be a number'],
      ],
    ],
    [{ allOf: [{ additionalProperties: true }], unevaluatedProperties: false }, [{ a: 1 }], []],
    [{ allOf: [{ unevaluatedProperties: true }], unevaluatedProperties: false }, [{ a: 1 }], []],
    [
      { patternProperties: { '^a': true }, unevaluatedProperties: false },
      [{ a1: 1 }],
      [[{ a1: 1, b: 1 }, '.b is not allowed']],
    ],
    [
      { dependentSchemas: { a: { properties: { a: true, b: true } } }, unevaluatedProperties: false },
      [{ a: 1, b: 1 }],
      [[{ b: 1 }, '.b is not allowed']],
    ],
    [
      { not: { properties: { a: true }, required: ['b'] }, unevaluatedProperties: false },
      [{}],
      [[{ a: 1 }, '.a is not allowed']],
    ],
  ])('%j', judge);
});

describe('BX-09 keywords about arrays', () => {
  it.each<Case>([
    [{ minItems: 2 }, [[1, 2], 5], [[[1], 'must have at least 2 elements']]],
    [{ maxItems: 1 }, [[1], 5], [[[1, 2], 'must have at most 1 element']]],
    [
      { items: { type: 'number' } },
      [[], [1, 2], 5],
      [
        [['a', 1, 'b'], '[0] must be a number', '[2] must be a number'],
        [[1, 'a'], '[1] must be a number'],
      ],
    ],
    [
      { prefixItems: [{ type: 'string' }, { type: 'number' }], items: { type: 'null' } },
      [[], ['a'], ['a', 1], ['a', 1, null], 5],
      [
        [[1, 1], '[0] must be a string'],
        [['a', 'a'], '[1] must be a number'],
        [[1, 'a'], '[0] must be a string', '[1] must be a number'],
        [['a', 1, 1], '[2] must be null'],
      ],
    ],
    [
      { contains: { type: 'number' } },
      [[1], ['a', 1], [1, 2, 3], 5],
      [
        [[], 'must contain at least 1 matching element'],
        [['a'], 'must contain at least 1 matching element'],
      ],
    ],
    [
      { contains: { type: 'number' }, minContains: 2, maxContains: 2 },
      [[1, 'a', 2]],
      [
        [[1], 'must contain at least 2 matching elements'],
        [[1, 2, 3], 'must contain at most 2 matching elements'],
      ],
    ],
    [
      { contains: { type: 'number' }, minContains: 0, maxContains: 1 },
      [[], ['a'], [1]],
      [[[1, 2], 'must contain at most 1 matching element']],
    ],
    [
      { uniqueItems: true },
      [[1, '1', '{"a":1}', { a: 1 }, { a: 2 }, null, [1]], 5],
      [
        [[1, 2, 1], '[2] must differ from the elements before it'],
        [
          [
            { a: 1, b: 2 },
            { b: 2, a: 1 },
          ],
          '[1] must differ from the elements before it',
        ],
        [[null, null], '[1] must differ from the elements before it'],
      ],
    ],
    [{ uniqueItems: false }, [[1, 1]], []],
    [
      { prefixItems: [true], unevaluatedItems: { type: 'number' } },
      [['a', 1], [], 5],
      [
        [['a', 'b', 1], '[1] must be a number'],
        [['a', 1, 'b'], '[2] must be a number'],
      ],
    ],
    [
      { contains: { type: 'number' }, unevaluatedItems: { type: 'null' } },
      [[1, null, 2]],
      [[[1, 'a', 2], '[1] must be null']],
    ],
    [{ allOf: [{ items: true }], unevaluatedItems: false }, [[1, 2]], []],
    [{ allOf: [{ unevaluatedItems: true }], unevaluatedItems: false }, [[1, 2]], []],
    [
      { allOf: [{ prefixItems: [true, true] }, { prefixItems: [true] }], unevaluatedItems: false },
      [[1, 2]],
      [[[1, 2, 3], '[2] is not allowed']],
    ],
  ])('%j', judge);
});
