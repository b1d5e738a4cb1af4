import { evaluate, isObject, membersOf, type Check, type SchemaNode } from './node.js';
import type { Pattern } from './patterns.js';
import type { Place } from './run.js';
import type { Keyword, SchemaAt } from './schema-at.js';
import { sizeBounds } from './value-keywords.js';

const at = (parent: Place | null, step: string): Place => ({ parent, step });

/** Members of a keyword whose names are not keywords. @throws SchemaProblem */
function entriesOf(name: string, value: unknown, schema: SchemaAt): [string, unknown][] {
  if (!isObject(value)) throw schema.refuse(name, 'must be an object');
  return Object.entries(value);
}

const isNameList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');

const properties: Keyword = (value, schema) => {
  const nodes = entriesOf('properties', value, schema).map(([name, sub]): [string, SchemaNode] => [
    name,
    schema.sub(sub, 'properties', name),
  ]);
  schema.node.cost += nodes.length / 2;
  return (instance, place, run, evaluated) => {
    if (!isObject(instance)) return true;
    let valid = true;
    for (const [name, node] of nodes) {
      if (!Object.hasOwn(instance, name)) continue;
      evaluated?.addName(name);
      valid = evaluate(node, instance[name], at(place, name), run) && valid;
    }
    return valid;
  };
};

/** Members whose names match; each name is compared with each pattern. */
const patternProperties: Keyword = (value, schema) => {
  const nodes = entriesOf('patternProperties', value, schema).map(([source, sub]): [Pattern, SchemaNode] => [
    schema.pattern('patternProperties', source),
    schema.sub(sub, 'patternProperties', source),
  ]);
  return (instance, place, run, evaluated) => {
    if (!isObject(instance)) return true;
    let valid = true;
    for (const name of membersOf(instance, (steps) => run.spend(steps))) {
      for (const [pattern, node] of nodes) {
        if (!pattern.test(name, run)) continue;
        evaluated?.addName(name);
        valid = evaluate(node, instance[name], at(place, name), run) && valid;
      }
    }
    return valid;
  };
};

/** Members that neither `properties` nor `patternProperties` beside it name. */
const additionalProperties: Keyword = (value, schema) => {
  const node = schema.sub(value, 'additionalProperties');
  const { properties: named, patternProperties: patterned } = schema.schema;
  const names = new Set(isObject(named) ? Object.keys(named) : []);
  const patterns = Object.keys(isObject(patterned) ? patterned : {}).map((source) =>
    schema.pattern('patternProperties', source),
  );
  return (instance, place, run, evaluated) => {
    if (!isObject(instance)) return true;
    if (evaluated) evaluated.allNames = true;
    let valid = true;
    for (const name of membersOf(instance, (steps) => run.spend(steps))) {
      if (names.has(name) || patterns.some((pattern) => pattern.test(name, run))) continue;
      valid = evaluate(node, instance[name], at(place, name), run) && valid;
      if (!valid && run.isDecided) return false;
    }
    return valid;
  };
};

const propertyNames: Keyword = (value, schema) => {
  const node = schema.sub(value, 'propertyNames');
  return (instance, place, run) => {
    if (!isObject(instance)) return true;
    let valid = true;
    for (const name of membersOf(instance, (steps) => run.spend(steps))) {
      if (run.quietly(() => evaluate(node, name, place, run))) continue;
      valid = run.fail(at(place, name), 'has a name that is not allowed');
    }
    return valid;
  };
};

function requires(names: string[]): Check {
  return (instance, place, run) => {
    if (!isObject(instance)) return true;
    let valid = true;
    for (const name of names) if (!Object.hasOwn(instance, name)) valid = run.fail(at(place, name), 'is required');
    return valid;
  };
}

const required: Keyword = (value, schema) => {
  if (!isNameList(value)) throw schema.refuse('required', 'must be a list of names');
  schema.node.cost += value.length / 2;
  return requires(value);
};

/** What is checked if a member is present. */
const whenPresent =
  (checks: [string, Check][]): Check =>
  (instance, place, run, evaluated) => {
    if (!isObject(instance)) return true;
    let valid = true;
    for (const [name, check] of checks) {
      if (Object.hasOwn(instance, name)) valid = check(instance, place, run, evaluated) && valid;
    }
    return valid;
  };

const dependentRequired: Keyword = (value, schema) => {
  const checks = entriesOf('dependentRequired', value, schema).map(([name, names]): [string, Check] => {
    if (!isNameList(names)) throw schema.refuse('dependentRequired', 'must have lists of names');
    schema.node.cost += 1 + names.length / 2;
    return [name, requires(names)];
  });
  return whenPresent(checks);
};

const dependentSchemas: Keyword = (value, schema) =>
  whenPresent(
    entriesOf('dependentSchemas', value, schema).map(([name, sub]): [string, Check] => {
      const node = schema.subInPlace(sub, 'dependentSchemas', name);
      return [name, (instance, place, run, evaluated) => evaluate(node, instance, place, run, evaluated)];
    }),
  );

const hasMoreMembers = (value: unknown, count: number, spend: (steps: number) => void): boolean | null => {
  if (!isObject(value)) return null;
  return membersOf(value, spend).length > count;
};

/** Keywords about objects. */
export const objectKeywords: Record<string, Keyword> = {
  ...sizeBounds(['minProperties', 'maxProperties'], 'member', hasMoreMembers),
  required,
  dependentRequired,
  propertyNames,
  properties,
  patternProperties,
  additionalProperties,
  dependentSchemas,
};

/** Runs after all others: members that no other keyword has evaluated. */
export const unevaluatedProperties: Keyword = (value, schema) => {
  const node = schema.sub(value, 'unevaluatedProperties');
  schema.node.tracksEvaluated = true;
  return (instance, place, run, evaluated) => {
    if (!isObject(instance) || !evaluated || evaluated.allNames) return true;
    let valid = true;
    for (const name of membersOf(instance, (steps) => run.spend(steps))) {
      if (!evaluated.hasName(name)) valid = evaluate(node, instance[name], at(place, name), run) && valid;
    }
    evaluated.allNames = true;
    return valid;
  };
};
