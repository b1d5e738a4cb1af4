import fc from 'fast-check';
import type { CheckOptions } from './run.js';

export const options: CheckOptions = {
  root: 'payload',
  maxIssues: 20,
  cpuMs: () => process.threadCpuUsage().user / 1_000,
};

const names = fc.constantFrom('a', 'b', 'c');
/** Payloads of the names and values that `schemas` speak of. */
export const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, 1, 2, 1.5, -3, '', 'a', 'ab', 'é😀', 'abc'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const count = fc.nat(3);
/** Schemas with every keyword; references name `$defs/one` and `$defs/two~1three`. */
export const schemas = fc.letrec((tie) => {
  const sub = tie('schema');
  const list = fc.array(sub, { minLength: 1, maxLength: 3 });
  const byName = fc.dictionary(names, sub, { maxKeys: 3, noNullPrototype: true });
  const keyword = (name: string, value: fc.Arbitrary<unknown>) => value.map((each) => ({ [name]: each }));
  const typeName = fc.constantFrom('null', 'boolean', 'object', 'array', 'number', 'string', 'integer');
  const keywords = fc.oneof(
    keyword('type', fc.oneof(typeName, fc.uniqueArray(typeName, { minLength: 1, maxLength: 3 }))),
    keyword('enum', fc.uniqueArray(values, { minLength: 1, maxLength: 4, selector: (value) => JSON.stringify(value) })),
    keyword('const', values),
    ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((name) =>
      keyword(name, fc.integer({ min: -3, max: 3 })),
    ),
    keyword('multipleOf', fc.integer({ min: 1, max: 3 })),
    ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map((name) =>
      keyword(name, count),
    ),
    keyword('pattern', fc.constantFrom('^a', 'b$', '^[ab]+$', '^(a|b){2}$', '.', '\\u00e9')),
    keyword('uniqueItems', fc.boolean()),
    keyword('prefixItems', list),
    ...['items', 'additionalProperties', 'not', 'propertyNames', 'unevaluatedItems', 'unevaluatedProperties'].map(
      (name) => keyword(name, sub),
    ),
    ...['allOf', 'anyOf', 'oneOf'].map((name) => keyword(name, list)),
    ...['properties', 'dependentSchemas'].map((name) => keyword(name, byName)),
    keyword(
      'patternProperties',
      fc.dictionary(fc.constantFrom('^a', 'b|c', '[bc]$'), sub, { maxKeys: 2, noNullPrototype: true }),
    ),
    keyword('required', fc.uniqueArray(names, { maxLength: 2 })),
    keyword(
      'dependentRequired',
      fc.dictionary(names, fc.uniqueArray(names, { maxLength: 2 }), { maxKeys: 2, noNullPrototype: true }),
    ),
    fc.record({ contains: sub, minContains: count, maxContains: count }, { requiredKeys: ['contains'] }),
    fc.record({ if: sub, then: sub, else: sub }, { requiredKeys: ['if'] }),
    keyword('$ref', fc.constantFrom('#/$defs/one', '#/$defs/two~1three')),
  );
  return {
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.boolean(),
      fc.array(keywords, { maxLength: 3 }).map((each) => Object.assign({}, ...each) as object),
    ),
  };
}).schema;
