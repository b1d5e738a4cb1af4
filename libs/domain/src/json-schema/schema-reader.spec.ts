import { readPayloadSchema, readQuickSchema } from './payload-schema.js';
import { SchemaProblem } from './schema-at.js';

const problemOf = (schema: unknown): string => {
  try {
    readPayloadSchema(schema);
  } catch (error) {
    if (error instanceof SchemaProblem) return `${error.path}: ${error.reason}`;
    throw error;
  }
  return 'none';
};

describe('BX-09 schemas that are refused', () => {
  it.each([
    [
      { requried: ['a'] },
      'schema.requried: is no keyword of JSON Schema 2020-12; the name of an extension begins with x-',
    ],
    [
      { properties: { a: { $ref: 'https://example.com/x' } } },
      'schema.properties.a.$ref: must be # or #/… : only schemas of this document can be named',
    ],
    [{ $ref: '#/$defs/gone' }, 'schema.$ref: names no schema of this document'],
    [{ $ref: '#/properties', properties: {} }, 'schema.$ref: names no schema of this document'],
    [{ $ref: '#' }, 'schema: has a schema that refers to itself for the same value'],
    [
      { anyOf: [{ $ref: '#/$defs/a' }], $defs: { a: { not: { $ref: '#/anyOf/0' } } } },
      'schema: has a schema that refers to itself for the same value',
    ],
    [
      { $dynamicRef: '#x' },
      'schema.$dynamicRef: is not supported here; references are $ref with #/… to a schema of this document',
    ],
    [
      { properties: { a: { $id: 'x' } } },
      'schema.properties.a.$id: is not supported here; references are $ref with #/… to a schema of this document',
    ],
    [
      { $schema: 'http://json-schema.org/draft-07/schema#' },
      'schema.$schema: must be https://json-schema.org/draft/2020-12/schema',
    ],
    [{ pattern: '(' }, 'schema.pattern: the pattern is no regular expression'],
    [{ pattern: '(?=a)b' }, expect.stringContaining('cannot be matched in linear time')],
    [{ pattern: '(?i:a)' }, 'schema.pattern: the pattern has modifiers'],
    [{ pattern: '(a)\\1' }, expect.stringContaining('cannot be matched in linear time')],
    [{ pattern: '(abc{1,900}|(?:defg){1,900})' }, 'schema.pattern: the pattern repeats too much'],
    [{ pattern: '(abc{900}|(?:defg){900})' }, 'schema.pattern: the pattern repeats too much'],
    [{ format: 'emial' }, expect.stringContaining('schema.format: is not supported; supported are')],
    [{ type: 'text' }, expect.stringContaining('schema.type: must be one or several of')],
    [{ items: [{}] }, 'schema.items: must be one schema; a list of schemas is prefixItems'],
    [{ minLength: -1 }, 'schema.minLength: must be a whole number from 0'],
    [{ allOf: Array(1_001).fill({}) }, 'schema.allOf[999]: has more than 1000 schemas in it'],
    [{ properties: { a: 5 } }, 'schema.properties.a: must be an object, true or false'],
    ['text', 'schema: must be an object, true or false'],
  ])('%j', (schema, problem) => {
    expect(problemOf(schema)).toEqual(problem);
  });

  it('but not for annotations, extensions and an id of the document', () => {
    const root = {
      $id: 'https://example.com/order',
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 't',
    };
    expect(
      problemOf({ ...root, 'x-owner': 'team', properties: { a: { description: 'd', default: 1, examples: [1] } } }),
    ).toBe('none');
  });
});

describe('BX-09 schemas that are read quickly', () => {
  const isQuick = (schema: unknown) => readQuickSchema(JSON.stringify(schema)) !== null;
  const members = (count: number, schema: object) => ({
    properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, schema])),
  });

  it.each([
    ['ordinary ones', members(100, { type: 'string', maxLength: 5 }), true],
    ['those with simple patterns', members(50, { pattern: '^[A-Z]{3}-\\d{4}$' }), true],
    [
      'those with short patterns for the linear engine',
      { allOf: [{ pattern: '^(a|b)+$' }, { pattern: '^(c|d)?$' }] },
      true,
    ],
    ['large ones', members(900, { type: 'string' }), false],
    ['those with a pattern that is long', { pattern: `^${'(a|b)?'.repeat(80)}$` }, false],
    [
      'those with patterns that repeat much',
      { allOf: [{ pattern: '^(a|b)[a-z]{1,200}$' }, { pattern: '^(c|d)[a-z]{1,200}$' }] },
      false,
    ],
  ])('%s: %#', (_kind, schema, expected) => {
    expect(isQuick(schema)).toBe(expected);
    // Each is one that may be stored.
    expect(problemOf(schema)).toBe('none');
  });

  it('have the problems of others', () => {
    expect(() => readQuickSchema('{"requried":[]}')).toThrow(SchemaProblem);
  });
});
