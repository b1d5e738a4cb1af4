import { checkPayload, readPayloadSchema } from './payload-schema.js';
import { SchemaProblem } from './schema-at.js';
import { options } from './schemas.fixture.js';

const check = (schema: unknown, payload: unknown) => checkPayload(readPayloadSchema(schema), payload, options);
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

describe('BX-09 values of keywords that are refused', () => {
  const problemOf = (schema: unknown): string => {
    try {
      readPayloadSchema(schema);
    } catch (error) {
      if (error instanceof SchemaProblem) return error.message;
      throw error;
    }
    return 'none';
  };
  const noSchema = 'must be an object, true or false';
  const types = 'must be one or several of null, boolean, object, array, number, string, integer';
  const formats =
    'is not supported; supported are date, time, date-time, duration, email, hostname, ipv4, ipv6, uri, uuid';
  const patterns = (count: number, start: string, end = '') => ({
    allOf: upTo(count).map((i) => ({ pattern: `${start}{${i}}${end}` })),
  });
  const complex = (count: number) => ({ allOf: upTo(count).map((i) => ({ pattern: `(a|b){${i}}c` })) });

  it.each<[object, string]>([
    [{ type: [] }, `schema.type: ${types}`],
    [{ type: ['string', 'text'] }, `schema.type: ${types}`],
    [{ enum: [] }, 'schema.enum: must be a list of at least one value'],
    [{ enum: 'a' }, 'schema.enum: must be a list of at least one value'],
    [{ minimum: '1' }, 'schema.minimum: must be a number'],
    [{ multipleOf: 0 }, 'schema.multipleOf: must be a number above 0'],
    [{ multipleOf: -1 }, 'schema.multipleOf: must be a number above 0'],
    [{ multipleOf: '1' }, 'schema.multipleOf: must be a number above 0'],
    [{ maxLength: '1' }, 'schema.maxLength: must be a whole number from 0'],
    [{ maxLength: 1.5 }, 'schema.maxLength: must be a whole number from 0'],
    [{ minContains: -1 }, 'schema.minContains: must be a whole number from 0'],
    [{ maxContains: -1 }, 'schema.maxContains: must be a whole number from 0'],
    [{ format: 5 }, `schema.format: ${formats}`],
    [{ format: ['date'] }, `schema.format: ${formats}`],
    [{ pattern: 5 }, 'schema.pattern: must be a regular expression'],
    [{ patternProperties: { '(': true } }, 'schema.patternProperties: the pattern is no regular expression'],
    [complex(9), 'schema.allOf[8].pattern: more than 8 patterns have groups, alternatives or many repetitions'],
    [complex(8), 'none'],
    ...['^a*b+c', 'a*c', '^a{1,}b{2,5}c', '^a{3}b{4}d{5}c'].map((start): [object, string] => [
      patterns(9, start),
      'none',
    ]),
    [patterns(9, '^a', '\\$'), 'none'],
    ...['^a*b+c?d', 'a*b*c', '^a*b{2,}c{1,3}d'].map((start): [object, string] => [
      patterns(9, start),
      'schema.allOf[8].pattern: more than 8 patterns have groups, alternatives or many repetitions',
    ]),
    [{ pattern: 'a'.repeat(500) }, 'none'],
    [{ pattern: 'a'.repeat(501) }, 'schema.pattern: the pattern must have at most 500 characters'],
    [{ pattern: '(a{400}|b)' }, 'none'],
    [{ pattern: '(a{600}|b)' }, 'schema.pattern: the pattern is too large'],
    [{ pattern: '(?im-s:a)' }, 'schema.pattern: the pattern has modifiers'],
    [{ allOf: Array(20).fill({ pattern: '(a|b)c' }) }, 'none'],
    [{ uniqueItems: 1 }, 'schema.uniqueItems: must be true or false'],
    [{ required: 'a' }, 'schema.required: must be a list of names'],
    [{ required: [1] }, 'schema.required: must be a list of names'],
    [{ dependentRequired: { a: 'b' } }, 'schema.dependentRequired: must have lists of names'],
    ...['properties', 'patternProperties', 'dependentSchemas', 'dependentRequired', '$defs', 'definitions'].map(
      (name): [object, string] => [{ [name]: 5 }, `schema.${name}: must be an object`],
    ),
    ...['prefixItems', 'allOf', 'anyOf', 'oneOf'].flatMap((name): [object, string][] => [
      [{ [name]: [] }, `schema.${name}: must be a list of at least one schema`],
      [{ [name]: {} }, `schema.${name}: must be a list of at least one schema`],
      [{ [name]: [true, 5] }, `schema.${name}[1]: ${noSchema}`],
    ]),
    ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'].map((name): [object, string] => [
      { [name]: { a: 5 } },
      `schema.${name}.a: ${noSchema}`,
    ]),
    ...['additionalProperties', 'propertyNames', 'unevaluatedProperties', 'items', 'contains', 'unevaluatedItems'].map(
      (name): [object, string] => [{ [name]: 5 }, `schema.${name}: ${noSchema}`],
    ),
    ...['not', 'if', 'then', 'else'].map((name): [object, string] => [{ [name]: 5 }, `schema.${name}: ${noSchema}`]),
    ...['then', 'else'].map((name): [object, string] => [{ if: true, [name]: 5 }, `schema.${name}: ${noSchema}`]),
    [{ $schema: 5 }, 'schema.$schema: must be https://json-schema.org/draft/2020-12/schema'],
    ...[5, '#/%', 'x#/$defs/a', '#a'].map((reference): [object, string] => [
      { $ref: reference, $defs: { a: true } },
      'schema.$ref: must be # or #/… : only schemas of this document can be named',
    ]),
  ])('%j', (schema, problem) => {
    expect(problemOf(schema)).toBe(problem);
  });

  it('but references may name definitions of any name', () => {
    const $defs = { 'a~b': { type: 'string' }, 'c/d': { type: 'null' }, 'e%f': { type: 'number' }, 'g h': true };
    const references = ['#/$defs/a~0b', '#/$defs/c~1d', '#/$defs/e%25f', '#/$defs/g%20h'];
    const properties = Object.fromEntries(references.map(($ref, i) => [`p${i}`, { $ref }]));
    const { issues } = check({ $defs, properties }, { p0: 1, p1: 1, p2: null, p3: 1 });
    expect(issues.map(({ path, reason }) => `${path} ${reason}`)).toEqual([
      'payload.p0 must be a string',
      'payload.p1 must be null',
      'payload.p2 must be a number',
    ]);
  });
});

describe('BX-09 paths of issues', () => {
  const pathOf = (...steps: (string | number)[]) => {
    const payload = steps.reduceRight<unknown>((value, step) => {
      if (typeof step === 'string') return { [step]: value };
      return [...Array(step).fill(null), value];
    }, 1);
    const own = { type: ['object', 'array', 'null'] };
    const schema = { ...own, additionalProperties: { $ref: '#' }, items: { $ref: '#' } };
    return check(schema, payload).issues[0]!.path;
  };

  it('contain names and indexes, and at most 64 characters of a name and 255 in all', () => {
    expect(pathOf('a', 2, 'b c', '0')).toBe('payload.a[2]["b c"]["0"]');
    expect(pathOf('n'.repeat(64))).toBe(`payload.${'n'.repeat(64)}`);
    expect(pathOf('n'.repeat(65))).toBe(`payload["${'n'.repeat(64)}…"]`);
    const names = Array<string>(3).fill('n'.repeat(61));
    expect(pathOf(...names, 'm'.repeat(61))).toBe(`payload.${names.join('.')}.${'m'.repeat(61)}`);
    expect(pathOf(...names, 'm'.repeat(62))).toBe(`payload.${names.join('.')}.${'m'.repeat(61)}…`);
  });

  it('of payloads nested too deep to check are those of the payload', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
    const schema = { items: { $ref: '#' } };
    expect(check(schema, nested(450)).issues).toEqual([]);
    const tooLong = [{ path: 'payload', reason: 'takes too long to check against its contract' }];
    expect(check(schema, nested(2_100)).issues).toEqual(tooLong);
    // More stack for each evaluation.
    const alternatives = { anyOf: [{ not: { not: { oneOf: [{ items: { $ref: '#' } }] } } }] };
    expect(check(alternatives, nested(499)).issues).toEqual(tooLong);
  });
});

describe('BX-09 the cost of a check', () => {
  const names = upTo(900).map((i) => `n${i}`);
  const large = Object.fromEntries(names.map((name) => [name, 1]));
  const schemasOf = (each: unknown) => Object.fromEntries(names.map((name) => [name, each]));

  it.each<[string, object, unknown, number]>([
    ['the names required', { required: names }, large, 400],
    ['the members described', { properties: schemasOf(true) }, {}, 400],
    ['the dependent names', { dependentRequired: schemasOf(['a', 'b']) }, {}, 1_500],
    ['the members of a payload', { minProperties: 1 }, large, 7_200],
    ['their names', { propertyNames: true }, large, 8_100],
    ['their names by a pattern', { patternProperties: { x: true } }, large, 10_000],
    ['their values', { additionalProperties: true }, large, 8_100],
    ['those not evaluated', { unevaluatedProperties: true }, large, 8_100],
    ['the keywords', { allOf: upTo(300).map(() => ({ minLength: 0, maxLength: 9, minimum: 1 })) }, 5, 900],
    ['the length of a text', { minLength: 2_000 }, 'x'.repeat(8_000), 2_000],
    ['a format', { items: { format: 'uri' } }, Array(100).fill('urn:'.padEnd(400, 'x')), 24_000],
    ['a multiple', { items: { multipleOf: 2 } }, Array(100).fill(2), 6_000],
    ['a pattern', { pattern: '^a*b*$' }, 'a'.repeat(100), 629],
    ['its repetitions', { pattern: '^a{50}b*$' }, 'a'.repeat(100), 320],
    ['a pattern with alternatives', { pattern: '(a|b)c' }, 'a'.repeat(1_000), 780],
    ['unique texts', { uniqueItems: true }, upTo(100).map((i) => `${i}`.padEnd(800)), 10_800],
    ['unique objects', { uniqueItems: true }, upTo(1_000).map((i) => ({ i })), 66_000],
    ['elements found', { contains: true, unevaluatedItems: false }, upTo(1_000), 9_000],
    ['members found', { patternProperties: { n: true }, unevaluatedProperties: false }, large, 22_000],
    ['what alternatives found', { anyOf: [{ contains: true }], unevaluatedItems: false }, upTo(1_000), 17_000],
    ['unique elements', { uniqueItems: true }, upTo(1_000), 8_000],
  ])('grows with %s', (_what, schema, payload, least) => {
    const { steps } = check(schema, payload);
    // More would refuse payloads of ordinary size.
    expect([steps >= least, steps <= 1.5 * least, steps]).toEqual([true, true, steps]);
  });

  it('does not include what a list of plain values need not look at', () => {
    expect(check({ enum: [1, 'a', null] }, Array(10_000).fill(1)).steps).toBeLessThan(100);
  });
});
