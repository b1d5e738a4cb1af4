import { findIncompatibilities } from './compatibility.js';
import { readPayloadSchema } from './payload-schema.js';

function issuesOf(before: unknown, after: unknown, maxIssues = 20): string[] {
  for (const schema of [before, after]) readPayloadSchema(schema);
  return findIncompatibilities(before, after, maxIssues).map(({ path, reason }) => `${path}: ${reason}`);
}

type Case = [before: object | boolean, after: object | boolean, ...issues: string[]];

describe('BX-09 what a new version of a payload contract may say about values', () => {
  it.each<Case>([
    [{ type: 'string' }, true],
    [false, { type: 'string' }],
    [{ type: 'string' }, false, 'schema: no longer allows any value'],
    [true, { type: 'object' }, 'schema.type: no longer allows null, boolean, array, number, string'],
    [true, { minLength: 0 }],
    [{ type: ['integer', 'null'] }, { type: 'number' }, 'schema.type: no longer allows null'],
    [{ const: null }, { type: 'null' }],
    [{ const: 1 }, { type: 'integer' }],
    [{ const: 1.5 }, { type: 'integer' }, 'schema.type: no longer allows number'],
    [{ enum: ['a', [], null] }, { type: ['string', 'array'] }, 'schema.type: no longer allows null'],
    [{}, { enum: [1] }, 'schema.enum: has been added'],
    [{}, { const: 1 }, 'schema.const: has been added'],
    [{ const: 1 }, { enum: [1, 2] }],
    [{ enum: [1, 2] }, { const: 1 }, 'schema.const: no longer allows 2'],
    [{ enum: [1, 2, 3, 4, 5] }, { enum: [5] }, 'schema.enum: no longer allows 1, 2, 3'],
    [{ const: 'x'.repeat(200) }, { const: 1 }, `schema.const: no longer allows "${'x'.repeat(99)}`],
    [{ minimum: 3 }, { minimum: 3 }],
    [{ minimum: 3 }, { minimum: 4 }, 'schema.minimum: has been tightened'],
    [{}, { minimum: 3 }, 'schema.minimum: has been added'],
    [{ minimum: 3 }, { exclusiveMinimum: 3 }, 'schema.exclusiveMinimum: has been tightened'],
    [{ exclusiveMinimum: 3 }, { exclusiveMinimum: 3 }],
    [{ exclusiveMinimum: 3 }, { minimum: 3 }],
    [{ exclusiveMinimum: 2 }, { minimum: 3 }, 'schema.minimum: has been tightened'],
    [{ maximum: 3 }, { maximum: 3 }],
    [{ maximum: 3 }, { maximum: 2 }, 'schema.maximum: has been tightened'],
    [{ maximum: 3 }, { exclusiveMaximum: 3 }, 'schema.exclusiveMaximum: has been tightened'],
    [{ maximum: 3 }, { exclusiveMaximum: 4 }],
    [{ exclusiveMaximum: 3 }, { maximum: 3 }],
    [{ type: 'string' }, { minimum: 1, multipleOf: 2 }],
    [{ type: 'integer' }, { maximum: 1 }, 'schema.maximum: has been added'],
    [{ multipleOf: 4 }, { multipleOf: 2 }],
    [{ multipleOf: 2 }, { multipleOf: 4 }, 'schema.multipleOf: has been added or changed'],
    [{}, { multipleOf: 1 }, 'schema.multipleOf: has been added or changed'],
    [{ type: 'integer' }, { multipleOf: 1 }],
    [{ type: 'integer' }, { multipleOf: 2 }, 'schema.multipleOf: has been added or changed'],
    [{ minLength: 2 }, { minLength: 3 }, 'schema.minLength: was 2'],
    [{}, { minLength: 1 }, 'schema.minLength: was 0'],
    [{ maxLength: 2 }, { maxLength: 2, minLength: 0 }],
    [{ maxLength: 2 }, { maxLength: 1 }, 'schema.maxLength: was 2'],
    [{}, { maxLength: 1 }, 'schema.maxLength: has been added'],
    [{ type: 'null' }, { maxLength: 1, pattern: 'a', format: 'date' }],
    [
      { pattern: 'a', format: 'date' },
      { pattern: 'a', format: 'date' },
    ],
    [{ pattern: 'a' }, { pattern: 'b' }, 'schema.pattern: undecided: has been added or changed'],
    [{}, { format: 'date' }, 'schema.format: undecided: has been added or changed'],
    [{ anyOf: [{ minLength: 1 }] }, { anyOf: [{ minLength: 2 }, {}] }, 'schema.anyOf[0].minLength: was 1'],
    [{ anyOf: [true, true] }, { anyOf: [true] }, 'schema.anyOf: undecided: has another number of schemas'],
    [{ allOf: [true] }, { allOf: [true, true] }, 'schema.allOf: undecided: has another number of schemas'],
    [{ allOf: [true, { minLength: 1 }] }, { allOf: [true, { minLength: 2 }] }, 'schema.allOf[1].minLength: was 1'],
    [{}, { allOf: [true] }, 'schema.allOf: undecided: has been added'],
    [{ not: { const: 1 } }, { not: { const: 1 } }],
    [{}, { 'x-owner': 'team', title: 'Order', $defs: { a: false } }],
  ])('%j, then %j', (before, after, ...issues) => {
    expect(issuesOf(before, after)).toEqual(issues);
  });
});

describe('BX-09 what a new version of a payload contract may say about members and elements', () => {
  const text = { type: 'string' };
  const typed = (...types: string[]) => `no longer allows ${types.join(', ')}`;

  it.each<Case>([
    [{ required: ['a'] }, { required: ['b', 'a'] }, 'schema.required: now requires b'],
    [{}, { required: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'schema.required: now requires a, b, c, d, e'],
    [{ type: 'array' }, { required: ['a'], properties: { a: text }, minProperties: 1 }],
    [{ minProperties: 1 }, { minProperties: 2 }, 'schema.minProperties: was 1'],
    [{ maxProperties: 2 }, { maxProperties: 1 }, 'schema.maxProperties: was 2'],
    [{ dependentRequired: { a: ['b', 'c'] } }, { dependentRequired: { a: ['c'] } }],
    [
      { dependentRequired: { a: ['b'] } },
      { dependentRequired: { a: ['b', 'c'], toString: [] } },
      'schema.dependentRequired.a: requires more',
    ],
    [{}, { propertyNames: { maxLength: 2 } }, 'schema.propertyNames.maxLength: has been added'],
    [{ propertyNames: { maxLength: 2 } }, { propertyNames: { maxLength: 3 } }],
    [
      { properties: { a: { type: 'null' } } },
      { additionalProperties: text },
      `schema.properties.a.type: ${typed('null')}`,
      `schema.additionalProperties.type: ${typed('null', 'boolean', 'object', 'array', 'number')}`,
    ],
    [
      { additionalProperties: text },
      { properties: { a: { type: 'null' } } },
      `schema.properties.a.type: ${typed('string')}`,
    ],
    [{ additionalProperties: false }, { properties: { a: text } }],
    [{ additionalProperties: text }, { additionalProperties: text }],
    [
      { patternProperties: { '^a': { minLength: 1 } } },
      { patternProperties: { '^a': { minLength: 2 } } },
      'schema.patternProperties["^a"].minLength: was 1',
    ],
    [{ patternProperties: { '^a': text, '^b': text } }, { patternProperties: { '^b': text, '^a': text } }],
    [
      { properties: { b: { type: 'null' } } },
      { patternProperties: { '^a': text }, properties: { b: text } },
      'schema.patternProperties: undecided: other patterns',
    ],
    [
      { patternProperties: { '^a': text } },
      { patternProperties: { '^a': text }, properties: { b: text } },
      'schema.properties.b: undecided: a pattern may have described it',
    ],
    [{ minItems: 1 }, { minItems: 2 }, 'schema.minItems: was 1'],
    [{ maxItems: 2 }, { maxItems: 1 }, 'schema.maxItems: was 2'],
    [{}, { uniqueItems: true }, 'schema.uniqueItems: has been added'],
    [{ uniqueItems: true }, { uniqueItems: true }],
    [{ uniqueItems: false }, { uniqueItems: false }],
    [{ type: 'object' }, { items: text, minItems: 1, uniqueItems: true, contains: text }],
    [
      { prefixItems: [text, { type: 'null' }] },
      { items: text },
      `schema.prefixItems[1].type: ${typed('null')}`,
      `schema.items.type: ${typed('null', 'boolean', 'object', 'array', 'number')}`,
    ],
    [{ items: text }, { prefixItems: [text, { type: 'null' }] }, `schema.prefixItems[1].type: ${typed('string')}`],
    [{ items: text }, { prefixItems: [text] }],
    [
      { contains: text, maxContains: 2 },
      { contains: text, maxContains: 2 },
    ],
    [
      { contains: text, maxContains: 2 },
      { contains: text, maxContains: 1 },
      'schema.contains: undecided: has been added or changed',
      'schema.maxContains: undecided: has been added or changed',
    ],
    [{}, { contains: text }, 'schema.contains: undecided: has been added or changed'],
    [{ minContains: 1 }, { minContains: 2 }],
    [
      { properties: { a: text }, unevaluatedProperties: false },
      { unevaluatedProperties: false, properties: { a: text } },
    ],
    [
      { properties: { a: text }, unevaluatedProperties: false },
      { properties: { a: text, b: true }, unevaluatedProperties: false },
      'schema.unevaluatedProperties: undecided: something beside it has changed',
    ],
  ])('%j, then %j', (before, after, ...issues) => {
    expect(issuesOf(before, after)).toEqual(issues);
  });

  it('is the same with references only if all that they name is the same', () => {
    const schema = (least: number) => ({ not: { $ref: '#/$defs/a' }, $defs: { a: { minLength: least } } });
    expect(issuesOf(schema(1), schema(1))).toEqual([]);
    expect(issuesOf(schema(1), schema(2))).toEqual(['schema.not: undecided: has been added or changed']);
  });

  it('compares a reference that has been added beside other keywords', () => {
    const $defs = { a: { type: 'string' } };
    expect(issuesOf({ minLength: 1 }, { minLength: 1, $ref: '#/$defs/a', $defs })).toEqual([
      'schema.$ref: undecided: has been added or changed',
    ]);
  });

  it('reports each place once, and no more places than asked for', () => {
    const names = ['a', 'b', 'c', 'd'];
    const schema = (type: string) => ({ properties: Object.fromEntries(names.map((name) => [name, { type }])) });
    const all = names.map((name) => `schema.properties.${name}.type: no longer allows string`);
    expect(issuesOf(schema('string'), { ...schema('null'), additionalProperties: true })).toEqual(all);
    expect(issuesOf(schema('string'), schema('null'), 3)).toEqual(all.slice(0, 3));
  });

  it('gives up when the schemas are too large, and never takes the rest for compatible', () => {
    const schema = (members: number, minLength: number) => ({
      properties: Object.fromEntries(Array.from({ length: members }, (_, i) => [`n${i}`, { minLength }])),
    });
    const found = (members: number) =>
      findIncompatibilities(schema(members, 2), schema(members, 1), 20).map(({ path, reason }) => `${path}: ${reason}`);
    expect(found(5_000)).toEqual([]);
    expect(found(50_000)).toEqual(['schema: undecided: the schemas are too large to be compared']);
  });
});
