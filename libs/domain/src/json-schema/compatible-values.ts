import { about, leastCount, mostCount, type Rule, type Schema, type SchemaObject, unchanged } from './compatible.js';
import { isMultiple } from './value-keywords.js';

const numbers = ['number', 'integer'];

const type: Rule = ({ after, types, place }, comparison) => {
  const allowed = new Set(Array.isArray(after.type) ? (after.type as string[]) : [after.type as string]);
  const refused = [...types].filter((name) => !allowed.has(name) && !(name === 'integer' && allowed.has('number')));
  if (refused.length > 0) comparison.report(place, `no longer allows ${refused.join(', ')}`);
};

const valuesOf = (schema: { const?: unknown; enum?: unknown }): unknown[] | null => {
  if (schema.const !== undefined) return [schema.const];
  return Array.isArray(schema.enum) ? (schema.enum as unknown[]) : null;
};

const allowedValues =
  (listOf: (schema: SchemaObject) => unknown[]): Rule =>
  ({ before, after, place }, comparison) => {
    const [was, is] = [valuesOf(before), listOf(after)];
    if (was === null) return comparison.report(place, 'has been added');
    const allowed = new Set(is.map((value) => comparison.textOf(value)));
    const gone = was.map((value) => comparison.textOf(value)).filter((text) => !allowed.has(text));
    if (gone.length > 0) comparison.report(place, `no longer allows ${gone.slice(0, 3).join(', ').slice(0, 100)}`);
  };

/** A bound of numbers. @param sign 1 for lower bounds, -1 for upper ones */
const bound =
  (name: string, sign: 1 | -1): Rule =>
  ({ before, after, place }, comparison) => {
    const [inclusive, exclusive] = sign === 1 ? ['minimum', 'exclusiveMinimum'] : ['maximum', 'exclusiveMaximum'];
    const limit = sign * (after[name] as number);
    const [closed, open] = [before[inclusive!], before[exclusive!]] as (number | undefined)[];
    const isWithin =
      (open !== undefined && sign * open >= limit) ||
      (closed !== undefined && (name === inclusive ? sign * closed >= limit : sign * closed > limit));
    if (!isWithin)
      comparison.report(place, closed === undefined && open === undefined ? 'has been added' : 'has been tightened');
  };

const multipleOf: Rule = ({ before, after, types, place }, comparison) => {
  const [was, is] = [before.multipleOf as number | undefined, after.multipleOf as number];
  const wholeOnly = !types.has('number') && is === 1;
  if (!wholeOnly && (was === undefined || !isMultiple(was, is))) comparison.report(place, 'has been added or changed');
};

/** Each schema of the list must accept what the one in its place accepted. */
const pairwise =
  (name: string, mayGrow: boolean): Rule =>
  ({ before, after, place }, comparison) => {
    const [was, is] = [before[name] as Schema[] | undefined, after[name] as Schema[]];
    if (was === undefined) return comparison.report(place, 'undecided: has been added');
    if (mayGrow ? is.length < was.length : is.length > was.length) {
      return comparison.report(place, 'undecided: has another number of schemas');
    }
    for (let i = 0; i < Math.min(was.length, is.length); i++)
      comparison.compare(was[i]!, is[i]!, { parent: place, step: i });
  };

/** Rules about values of any type, numbers and strings. */
export const valueRules: Record<string, Rule> = {
  type,
  enum: allowedValues((schema) => schema.enum as unknown[]),
  const: allowedValues((schema) => [schema.const]),
  minimum: about(numbers, bound('minimum', 1)),
  exclusiveMinimum: about(numbers, bound('exclusiveMinimum', 1)),
  maximum: about(numbers, bound('maximum', -1)),
  exclusiveMaximum: about(numbers, bound('exclusiveMaximum', -1)),
  multipleOf: about(numbers, multipleOf),
  minLength: about(['string'], leastCount('minLength')),
  maxLength: about(['string'], mostCount('maxLength')),
  pattern: about(['string'], unchanged('pattern')),
  format: about(['string'], unchanged('format')),
  allOf: pairwise('allOf', false),
  anyOf: pairwise('anyOf', true),
};
