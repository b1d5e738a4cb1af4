import {
  about,
  type Compared,
  leastCount,
  mostCount,
  type Rule,
  type Schema,
  type SchemaObject,
} from './compatible.js';

const arrays = ['array'];

const prefixOf = (schema: SchemaObject): Schema[] => (schema.prefixItems as Schema[] | undefined) ?? [];
const restOf = (schema: SchemaObject): Schema => (schema.items as Schema | undefined) ?? true;

/** What a schema says about the element at an index. */
const elementOf = (schema: SchemaObject, index: number): Schema => prefixOf(schema)[index] ?? restOf(schema);

const elements: Rule = ({ before, after, parent }, comparison) => {
  const length = Math.max(prefixOf(before).length, prefixOf(after).length);
  for (let i = 0; i < length; i++) {
    const place = { parent: { parent, step: 'prefixItems' }, step: i };
    comparison.compare(elementOf(before, i), elementOf(after, i), place);
  }
  comparison.compare(restOf(before), restOf(after), { parent, step: 'items' });
};

const uniqueItems: Rule = ({ before, after, place }, comparison) => {
  if (after.uniqueItems === true && before.uniqueItems !== true) comparison.report(place, 'has been added');
};

/** The three say one thing together. */
const contains: Rule = ({ before, after, place }: Compared, comparison) => {
  const { contains: was, minContains: least, maxContains: most } = before;
  const { contains: is, minContains, maxContains } = after;
  if (is === undefined) return;
  if (!comparison.isSame({ was, least, most }, { was: is, least: minContains, most: maxContains })) {
    comparison.report(place, 'undecided: has been added or changed');
  }
};

export const arrayRules: Record<string, Rule> = {
  minItems: about(arrays, leastCount('minItems')),
  maxItems: about(arrays, mostCount('maxItems')),
  uniqueItems: about(arrays, uniqueItems),
  prefixItems: about(arrays, elements),
  items: about(arrays, elements),
  contains: about(arrays, contains),
  minContains: about(arrays, contains),
  maxContains: about(arrays, contains),
};
