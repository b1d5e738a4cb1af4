import fc from 'fast-check';
import { findIncompatibilities } from './compatibility.js';
import { checkPayload, readPayloadSchema } from './payload-schema.js';
import { options, schemas, values } from './schemas.fixture.js';

const found = (before: unknown, after: unknown) => {
  for (const schema of [before, after]) readPayloadSchema(schema);
  return findIncompatibilities(before, after, 20);
};
const paths = (before: unknown, after: unknown) => found(before, after).map(({ path }) => path);

const closed = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };
const tree = { type: 'object', properties: { next: { $ref: '#' }, id: { type: 'integer' } } };

describe('BX-09 a new version of a payload contract', () => {
  it.each<[string, object, object]>([
    ['the same', closed, structuredClone(closed)],
    ['other words', closed, { ...closed, title: 'Order', properties: { a: { type: 'string', description: 'x' } } }],
    ['fewer required members', closed, { ...closed, required: [] }],
    [
      'another member where none was allowed',
      closed,
      { ...closed, properties: { ...closed.properties, b: { type: 'number' } } },
    ],
    ['an open object', closed, { ...closed, additionalProperties: true }],
    ['more types', { type: 'integer' }, { type: ['number', 'null'] }],
    ['more values', { enum: ['a'] }, { enum: ['a', 'b'] }],
    ['values of one type', { enum: ['a', 'b'] }, { enum: ['a', 'b'], type: 'string' }],
    ['wider bounds', { minimum: 3, maxLength: 5, minItems: 1 }, { minimum: 2, maxLength: 6, minItems: 0 }],
    ['an open bound', { minimum: 3 }, { exclusiveMinimum: 2 }],
    ['bounds of another type', { type: 'string' }, { type: 'string', minimum: 5, required: ['a'] }],
    ['a finer multiple', { multipleOf: 0.1 }, { multipleOf: 0.01 }],
    ['fewer rules', { allOf: [{ minLength: 2 }, { maxLength: 5 }] }, { allOf: [{ minLength: 1 }] }],
    ['another alternative', { anyOf: [{ type: 'string' }] }, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ['a recursive schema', tree, { ...tree, properties: { ...tree.properties, id: { type: 'number' } } }],
    ['a schema that moved', { $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, { type: 'string' }],
    ['elements', { prefixItems: [{ type: 'integer' }], items: { minLength: 2 } }, { items: { minLength: 1 } }],
  ])('may have %s', (_name, before, after) => {
    expect(found(before, after)).toEqual([]);
  });

  it.each<[string, object, object, string]>([
    ['another required member', { required: ['a'] }, { required: ['a', 'b'] }, 'schema.required'],
    ['fewer types', { type: ['string', 'null'] }, { type: 'string' }, 'schema.type'],
    ['whole numbers only', { type: 'number' }, { type: 'integer' }, 'schema.type'],
    [
      'a type where none was',
      { properties: { a: {} } },
      { properties: { a: { type: 'string' } } },
      'schema.properties.a.type',
    ],
    ['a described member in an open object', {}, { properties: { a: { type: 'string' } } }, 'schema.properties.a.type'],
    ['fewer values', { enum: ['a', 'b'] }, { enum: ['b'] }, 'schema.enum'],
    ['tighter bounds', { maximum: 5 }, { exclusiveMaximum: 5 }, 'schema.exclusiveMaximum'],
    ['shorter texts', { items: { maxLength: 5 } }, { items: { maxLength: 4 } }, 'schema.items.maxLength'],
    [
      'a closed object',
      { properties: { a: {} } },
      { properties: { a: {} }, additionalProperties: false },
      'schema.additionalProperties',
    ],
    ['a member less', closed, { ...closed, properties: {} }, 'schema.properties.a'],
    ['unique elements', {}, { uniqueItems: true }, 'schema.uniqueItems'],
    ['another pattern', { pattern: 'a' }, { pattern: 'b' }, 'schema.pattern'],
    ['a format', { type: 'string' }, { type: 'string', format: 'date' }, 'schema.format'],
    [
      'a changed definition',
      { $ref: '#/$defs/a', $defs: { a: { minLength: 1 } } },
      { $ref: '#/$defs/a', $defs: { a: { minLength: 2 } } },
      'schema.minLength',
    ],
    [
      'a changed definition beside another keyword',
      { $ref: '#/$defs/a', minLength: 0, $defs: { a: {} } },
      { $ref: '#/$defs/a', minLength: 0, $defs: { a: { type: 'string' } } },
      'schema.$ref.type',
    ],
    ['another condition', {}, { if: { required: ['a'] }, then: { required: ['b'] } }, 'schema.if'],
    ['more dependencies', {}, { dependentRequired: { a: ['b'] } }, 'schema.dependentRequired.a'],
    [
      'a recursive schema that is tighter',
      tree,
      { ...tree, properties: { ...tree.properties, id: { type: 'string' } } },
      'schema.properties.id.type',
    ],
    [
      'elements at one place',
      { items: { type: 'string' } },
      { prefixItems: [{ type: 'null' }], items: { type: 'string' } },
      'schema.prefixItems[0].type',
    ],
    [
      'a member that a pattern described',
      { patternProperties: { a: {} }, additionalProperties: false },
      { patternProperties: { a: {} }, additionalProperties: false, properties: { a: { type: 'null' } } },
      'schema.properties.a',
    ],
  ])('may not have %s', (_name, before, after, path) => {
    expect(paths(before, after)).toContain(path);
  });

  it('says which changes cannot be judged', () => {
    expect(found({ not: { type: 'string' } }, { not: { type: 'number' } })).toEqual([
      { path: 'schema.not', reason: 'undecided: has been added or changed' },
    ]);
  });

  const members = (count: number, of: (i: number) => object) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, of(i)]));
  /** Deep enough that the paths of all its members are cut to the same text, so that they are one issue. */
  const deep = (properties: object): object =>
    Array.from({ length: 5 }, (_, i) => `${i}`.repeat(64)).reduce(
      (schema, name) => ({ properties: { [name]: schema } }),
      {
        properties,
      },
    );
  const cycle = (length: number) => {
    const $defs = members(length, (i) => ({ properties: { a: { $ref: `#/$defs/p${(i + 1) % length}` } } }));
    return { $ref: '#/$defs/p0', $defs };
  };
  const large = { unevaluatedProperties: true, enum: Array.from({ length: 6_000 }, (_, i) => i) };

  it.each([
    [
      'many members with one large schema',
      deep(members(500, () => ({}))),
      { ...deep(members(500, () => ({ $ref: '#/$defs/l' }))), $defs: { l: large } },
    ],
    ['schemas that meet in each other only after thousands of steps', cycle(97), cycle(101)],
  ])('is compared within a bounded time: %s', (_name, before, after) => {
    expect(found(before, after)).toContainEqual({
      path: 'schema',
      reason: 'undecided: the schemas are too large to be compared',
    });
  });

  it('that is found compatible accepts every payload that the one before accepts', () => {
    const $defs = { one: { type: ['string', 'array'] }, 'two/three': { properties: { a: { type: 'number' } } } };
    const other = { ...$defs, one: { type: ['string', 'array', 'null'] } };
    let compared = 0;
    const property = fc.property(
      schemas,
      schemas,
      fc.boolean(),
      fc.array(values, { minLength: 10, maxLength: 30 }),
      (one, two, moved, payloads) => {
        if (typeof one !== 'object' || typeof two !== 'object') return;
        const before = { ...(two as object), ...(one as object), $defs };
        const after = { ...(one as object), $defs: moved ? other : $defs };
        for (const [was, is] of [
          [before, after],
          [after, before],
        ]) {
          if (findIncompatibilities(was, is, 20).length > 0) continue;
          const [then, now] = [readPayloadSchema(was), readPayloadSchema(is)];
          for (const payload of payloads) {
            if (checkPayload(then, payload, options).issues.length > 0) continue;
            compared++;
            expect([was, is, payload, checkPayload(now, payload, options).issues]).toEqual([was, is, payload, []]);
          }
        }
      },
    );
    fc.assert(property, { numRuns: 2_000 });
    expect(compared).toBeGreaterThan(1_000);
  });
});
