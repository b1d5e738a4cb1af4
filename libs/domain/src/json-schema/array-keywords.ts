import { canonical } from './canonical.js';
import { evaluate, rememberSteps, type SchemaNode } from './node.js';
import type { Place, Run } from './run.js';
import type { Keyword } from './schema-at.js';
import { countOf, sizeBounds } from './value-keywords.js';

const at = (parent: Place | null, step: number): Place => ({ parent, step });

/** Evaluates the elements from `first` on. */
function evaluateFrom(node: SchemaNode, value: unknown[], first: number, place: Place | null, run: Run): boolean {
  let valid = true;
  for (let i = first; i < value.length; i++) {
    if (evaluate(node, value[i], at(place, i), run)) continue;
    valid = false;
    if (run.isDecided) return false;
  }
  return valid;
}

const prefixOf = (schema: Readonly<Record<string, unknown>>): number =>
  Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0;

const prefixItems: Keyword = (value, schema) => {
  if (!Array.isArray(value) || value.length === 0)
    throw schema.refuse('prefixItems', 'must be a list of at least one schema');
  const nodes = value.map((each, i) => schema.sub(each, 'prefixItems', i));
  return (instance, place, run, evaluated) => {
    if (!Array.isArray(instance)) return true;
    if (evaluated) evaluated.firstIndexes = Math.max(evaluated.firstIndexes, nodes.length);
    let valid = true;
    for (let i = 0; i < nodes.length && i < instance.length; i++) {
      valid = evaluate(nodes[i]!, instance[i], at(place, i), run) && valid;
    }
    return valid;
  };
};

const items: Keyword = (value, schema) => {
  if (Array.isArray(value)) throw schema.refuse('items', 'must be one schema; a list of schemas is prefixItems');
  const node = schema.sub(value, 'items');
  const first = prefixOf(schema.schema);
  return (instance, place, run, evaluated) => {
    if (!Array.isArray(instance)) return true;
    if (evaluated) evaluated.firstIndexes = Infinity;
    return evaluateFrom(node, instance, first, place, run);
  };
};

/** With `minContains` and `maxContains`, which mean nothing without it. */
const contains: Keyword = (value, schema) => {
  const node = schema.sub(value, 'contains');
  const { minContains = 1, maxContains = Infinity } = schema.schema;
  const [least, most] = [minContains as number, maxContains as number];
  return (instance, place, run, evaluated) => {
    if (!Array.isArray(instance)) return true;
    let count = 0;
    for (let i = 0; i < instance.length; i++) {
      if (!run.quietly(() => evaluate(node, instance[i], at(place, i), run))) continue;
      count++;
      evaluated?.addIndex(i);
    }
    if (count < least)
      return run.fail(place, `must contain at least ${least} matching element${least === 1 ? '' : 's'}`);
    return count <= most || run.fail(place, `must contain at most ${most} matching element${most === 1 ? '' : 's'}`);
  };
};

/** By canonical texts, so that the time grows with the size of the array, not with its square. */
const uniqueItems: Keyword = (value, schema) => {
  if (typeof value !== 'boolean') throw schema.refuse('uniqueItems', 'must be true or false');
  if (!value) return null;
  return (instance, place, run) => {
    if (!Array.isArray(instance)) return true;
    const [scalars, texts] = [new Set<unknown>(), new Set<unknown>()];
    for (const [i, element] of instance.entries()) {
      const isScalar = typeof element !== 'object' || element === null;
      const known = isScalar ? scalars : texts;
      run.spend(typeof element === 'string' ? rememberSteps + element.length / 8 : rememberSteps);
      const text = isScalar ? element : canonical(element, (steps) => run.spend(2 * steps));
      if (known.has(text)) return run.fail(at(place, i), 'must differ from the elements before it');
      known.add(text);
    }
    return true;
  };
};

const counted =
  (name: string): Keyword =>
  (value, schema) => (countOf(name, value, schema), null);

const hasMoreElements = (value: unknown, count: number): boolean | null =>
  Array.isArray(value) ? value.length > count : null;

/** Keywords about arrays. */
export const arrayKeywords: Record<string, Keyword> = {
  ...sizeBounds(['minItems', 'maxItems'], 'element', hasMoreElements),
  uniqueItems,
  prefixItems,
  items,
  minContains: counted('minContains'),
  maxContains: counted('maxContains'),
  contains,
};

/** Runs after all others: elements that no other keyword has evaluated. */
export const unevaluatedItems: Keyword = (value, schema) => {
  const node = schema.sub(value, 'unevaluatedItems');
  schema.node.tracksEvaluated = true;
  return (instance, place, run, evaluated) => {
    if (!Array.isArray(instance) || !evaluated) return true;
    let valid = true;
    for (let i = evaluated.firstIndexes; i < instance.length; i++) {
      if (!evaluated.hasIndex(i)) valid = evaluate(node, instance[i], at(place, i), run) && valid;
    }
    evaluated.firstIndexes = Infinity;
    return valid;
  };
};
