import {
  about,
  type Compared,
  type Comparison,
  leastCount,
  mostCount,
  type Rule,
  type Schema,
  type SchemaObject,
} from './compatible.js';

const objects = ['object'];
/** To compare one list of names with another, apart from its names. */
const stepsPerList = 20;

const mapOf = (schema: SchemaObject, name: string): Record<string, Schema> =>
  (schema[name] as Record<string, Schema> | undefined) ?? {};
const otherMembers = (schema: SchemaObject): Schema => (schema.additionalProperties as Schema | undefined) ?? true;
const namesOf = (list: unknown): string[] => (list as string[] | undefined) ?? [];

/** What a schema says about the member of a name, patterns aside. */
function memberOf(schema: SchemaObject, name: string): Schema {
  const named = mapOf(schema, 'properties');
  return Object.hasOwn(named, name) ? named[name]! : otherMembers(schema);
}

/** Which members patterns name is not compared, so they must be the same. */
function patternsAreSame({ before, after, parent }: Compared, comparison: Comparison): boolean {
  const names = (schema: SchemaObject) => comparison.textOf(Object.keys(mapOf(schema, 'patternProperties')).sort());
  if (names(before) === names(after)) return true;
  comparison.report({ parent, step: 'patternProperties' }, 'undecided: other patterns');
  return false;
}

const members: Rule = (compared, comparison) => {
  const { before, after, parent } = compared;
  if (!patternsAreSame(compared, comparison)) return;
  const names = new Set([...Object.keys(mapOf(before, 'properties')), ...Object.keys(mapOf(after, 'properties'))]);
  for (const name of names) {
    const place = { parent: { parent, step: 'properties' }, step: name };
    if (before.patternProperties !== undefined && !Object.hasOwn(mapOf(before, 'properties'), name)) {
      comparison.report(place, 'undecided: a pattern may have described it');
    } else comparison.compare(memberOf(before, name), memberOf(after, name), place);
  }
  for (const [source, schema] of Object.entries(mapOf(after, 'patternProperties'))) {
    const place = { parent: { parent, step: 'patternProperties' }, step: source };
    comparison.compare(mapOf(before, 'patternProperties')[source]!, schema, place);
  }
  comparison.compare(otherMembers(before), otherMembers(after), { parent, step: 'additionalProperties' });
};

const required: Rule = ({ before, after, place }, comparison) => {
  comparison.spend(namesOf(before.required).length + namesOf(after.required).length);
  const was = new Set(namesOf(before.required));
  const added = namesOf(after.required).filter((name) => !was.has(name));
  if (added.length > 0) comparison.report(place, `now requires ${added.slice(0, 5).join(', ').slice(0, 100)}`);
};

const dependentRequired: Rule = ({ before, after, place }, comparison) => {
  const was = mapOf(before, 'dependentRequired');
  for (const [name, needed] of Object.entries(mapOf(after, 'dependentRequired'))) {
    comparison.spend(stepsPerList + namesOf(needed).length + namesOf(was[name]).length);
    const known = new Set(Object.hasOwn(was, name) ? namesOf(was[name]) : []);
    if (!namesOf(needed).every((each) => known.has(each))) {
      comparison.report({ parent: place, step: name }, 'requires more');
    }
  }
};

const propertyNames: Rule = ({ before, after, place }, comparison) =>
  comparison.compare((before.propertyNames as Schema | undefined) ?? true, after.propertyNames as Schema, place);

export const objectRules: Record<string, Rule> = {
  minProperties: about(objects, leastCount('minProperties')),
  maxProperties: about(objects, mostCount('maxProperties')),
  required: about(objects, required),
  dependentRequired: about(objects, dependentRequired),
  propertyNames: about(objects, propertyNames),
  properties: about(objects, members),
  patternProperties: about(objects, members),
  additionalProperties: about(objects, members),
};
