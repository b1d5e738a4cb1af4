import { isObject } from './node.js';
import type { Place } from './run.js';

export type SchemaObject = Readonly<Record<string, unknown>>;
export type Schema = SchemaObject | boolean;

export const isSchemaObject = (schema: unknown): schema is SchemaObject => isObject(schema);

/** Two schemas of the same value, while one keyword of the new one is looked at. */
export interface Compared {
  before: SchemaObject;
  after: SchemaObject;
  /** JSON types that the schema before allows. */
  types: ReadonlySet<string>;
  /** Of the keyword. */
  place: Place;
  /** Of the schema. */
  parent: Place | null;
}

export interface Comparison {
  /** Records a place where the new schema refuses, or may refuse, what was accepted. */
  report(place: Place | null, reason: string): void;
  /** @throws TooCostly */
  compare(before: Schema, after: Schema, place: Place | null): void;
  /** Whether two values of keywords mean the same. @throws TooCostly */
  isSame(before: unknown, after: unknown): boolean;
  /** As `canonical`. @throws TooCostly */
  textOf(value: unknown): string;
  /** Counts work that grows with the schemas. @throws TooCostly */
  spend(steps: number): void;
}

/** Reports what a keyword of the new schema refuses and the schema before accepts. */
export type Rule = (compared: Compared, comparison: Comparison) => void;

const allTypes = ['null', 'boolean', 'object', 'array', 'number', 'string'];

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** The JSON types that a schema allows by `type`, `const` or `enum`; `integer` is one beside `number`. */
export function typesOf({ type, const: only, enum: values }: SchemaObject): ReadonlySet<string> {
  if (type !== undefined) return new Set(Array.isArray(type) ? (type as string[]) : [type as string]);
  if (only !== undefined) return new Set([typeOf(only)]);
  if (Array.isArray(values)) return new Set(values.map(typeOf));
  return new Set(allTypes);
}

/** A rule that matters only if the schema before allows one of the types. */
export const about =
  (types: string[], rule: Rule): Rule =>
  (compared, comparison) => {
    if (types.some((type) => compared.types.has(type))) rule(compared, comparison);
  };

/** A lower bound of a size; absent = 0. */
export const leastCount =
  (name: string): Rule =>
  ({ before, after, place }, comparison) => {
    const [was, is] = [(before[name] as number | undefined) ?? 0, after[name] as number];
    if (is > was) comparison.report(place, `was ${was}`);
  };

/** An upper bound of a size; absent = none. */
export const mostCount =
  (name: string): Rule =>
  ({ before, after, place }, comparison) => {
    const [was, is] = [before[name] as number | undefined, after[name] as number];
    if (was === undefined || is < was) comparison.report(place, was === undefined ? 'has been added' : `was ${was}`);
  };

/** A keyword whose values cannot be compared. */
export const unchanged =
  (name: string): Rule =>
  ({ before, after, place }, comparison) => {
    if (!comparison.isSame(before[name], after[name])) comparison.report(place, 'undecided: has been added or changed');
  };
