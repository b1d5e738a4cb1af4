import { hasAtMost } from '../code-points.js';
import { canonical } from './canonical.js';
import { formats, hasFormat } from './formats.js';
import { isObject, type Check } from './node.js';
import type { Keyword, SchemaAt } from './schema-at.js';

const typeNames = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'] as const;
type TypeName = (typeof typeNames)[number];

const hasType: Record<TypeName, (value: unknown) => boolean> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  object: isObject,
  array: Array.isArray,
  number: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
};

const articles: Partial<Record<TypeName, string>> = {
  null: 'null',
  object: 'an object',
  array: 'an array',
  integer: 'a whole number',
};
const isTypeName = (value: unknown): value is TypeName => typeNames.some((name) => name === value);

const type: Keyword = (value, at) => {
  const names = Array.isArray(value) ? (value as unknown[]) : [value];
  if (names.length === 0 || !names.every(isTypeName))
    throw at.refuse('type', `must be one or several of ${typeNames.join(', ')}`);
  const tests = names.map((name) => hasType[name]);
  const reason = `must be ${names.map((name) => articles[name] ?? `a ${name}`).join(' or ')}`;
  return (instance, place, run) => tests.some((test) => test(instance)) || run.fail(place, reason);
};

const shownValues = 10;
const shownLength = 100;
const ignoreCost = () => undefined;

function oneOfValues(values: unknown[]): Check {
  const texts = new Set(values.map((value) => canonical(value, ignoreCost)));
  const scalarsOnly = values.every((value) => typeof value !== 'object' || value === null);
  const list = values.slice(0, shownValues).map((value) => JSON.stringify(value));
  const shown = values.length > shownValues || list.join().length > shownLength ? null : list.join(', ');
  const reason =
    shown === null ? 'must be one of the allowed values' : `must be ${list.length > 1 ? 'one of ' : ''}${shown}`;
  return (instance, place, run) => {
    if (scalarsOnly && typeof instance === 'object' && instance !== null) return run.fail(place, reason);
    return texts.has(canonical(instance, (steps) => run.spend(steps))) || run.fail(place, reason);
  };
}

const oneOfThese: Keyword = (value, at) => {
  if (!Array.isArray(value) || value.length === 0) throw at.refuse('enum', 'must be a list of at least one value');
  return oneOfValues(value);
};

const bound =
  (name: string, isWithin: (value: number, limit: number) => boolean, words: string): Keyword =>
  (limit, at) => {
    if (typeof limit !== 'number') throw at.refuse(name, 'must be a number');
    return (instance, place, run) =>
      typeof instance !== 'number' || isWithin(instance, limit) || run.fail(place, `must be ${words} ${limit}`);
  };

/** A decimal number as a whole number and a power of ten. */
function decimal(value: number): [bigint, number] {
  const [mantissa, exponent = '0'] = String(value).split('e');
  const [whole, fraction = ''] = mantissa!.split('.');
  return [BigInt(whole! + fraction), Number(exponent) - fraction.length];
}

/** In decimal, so that 19.99 is a multiple of 0.01. */
export function isMultiple(value: number, of: number): boolean {
  const [[one, oneScale], [two, twoScale]] = [decimal(value), decimal(of)];
  const scale = Math.min(oneScale, twoScale);
  return (one * 10n ** BigInt(oneScale - scale)) % (two * 10n ** BigInt(twoScale - scale)) === 0n;
}
/** A number between 1e-300 and 1e300 has at most about 600 digits as such a whole number. */
const multipleSteps = 60;

const multipleOf: Keyword = (of, at) => {
  if (typeof of !== 'number' || of <= 0) throw at.refuse('multipleOf', 'must be a number above 0');
  return (instance, place, run) => {
    if (typeof instance !== 'number') return true;
    run.spend(multipleSteps);
    return isMultiple(instance, of) || run.fail(place, `must be a multiple of ${of}`);
  };
};

/** Reads a bound that is a whole number of at least 0. */
export function countOf(name: string, value: unknown, at: SchemaAt): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
    throw at.refuse(name, 'must be a whole number from 0');
  return value;
}

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Lower and upper bound of a size. */
export const sizeBounds = (
  [least, most]: [string, string],
  what: string,
  hasMore: (value: unknown, count: number, spend: (steps: number) => void) => boolean | null,
): Record<string, Keyword> => ({
  [least]: (value, at) => {
    const count = countOf(least, value, at);
    const reason = `must have at least ${plural(count, what)}`;
    return (instance, place, run) =>
      count === 0 || hasMore(instance, count - 1, (steps) => run.spend(steps)) !== false || run.fail(place, reason);
  },
  [most]: (value, at) => {
    const count = countOf(most, value, at);
    const reason = `must have at most ${plural(count, what)}`;
    return (instance, place, run) =>
      hasMore(instance, count, (steps) => run.spend(steps)) !== true || run.fail(place, reason);
  },
});

const hasMoreCharacters = (value: unknown, count: number, spend: (steps: number) => void): boolean | null => {
  if (typeof value !== 'string') return null;
  spend(value.length / 4);
  return !hasAtMost(value, count);
};

const pattern: Keyword = (source, at) => {
  const compiled = at.pattern('pattern', source);
  const shown = (source as string).length <= shownLength ? ` ${source as string}` : '';
  return (instance, place, run) =>
    typeof instance !== 'string' || compiled.test(instance, run) || run.fail(place, `must match the pattern${shown}`);
};

const format: Keyword = (name, at) => {
  if (typeof name !== 'string' || !Object.hasOwn(formats, name)) {
    throw at.refuse('format', `is not supported; supported are ${Object.keys(formats).join(', ')}`);
  }
  return (instance, place, run) => {
    if (typeof instance !== 'string') return true;
    run.spend(40 + Math.min(instance.length, 1_000) / 2);
    return hasFormat(name, instance) || run.fail(place, `must have the format ${name}`);
  };
};

/** Keywords about values of any type, numbers and strings. */
export const valueKeywords: Record<string, Keyword> = {
  type,
  enum: oneOfThese,
  const: (value) => oneOfValues([value]),
  minimum: bound('minimum', (value, limit) => value >= limit, 'at least'),
  maximum: bound('maximum', (value, limit) => value <= limit, 'at most'),
  exclusiveMinimum: bound('exclusiveMinimum', (value, limit) => value > limit, 'more than'),
  exclusiveMaximum: bound('exclusiveMaximum', (value, limit) => value < limit, 'less than'),
  multipleOf,
  ...sizeBounds(['minLength', 'maxLength'], 'character', hasMoreCharacters),
  pattern,
  format,
};
