import { RE2JS, RE2JSException } from 're2js';
import type { Run } from './run.js';

/** A compiled pattern. */
export interface Pattern {
  /** @throws TooCostly */
  test(text: string, run: Run): boolean;
  /** Whether it needed the linear engine, which takes up to some milliseconds to compile. */
  isComplex: boolean;
}

const maxLength = 500;
/** Length of the pattern times the sum of its counted repetitions: an upper bound of the program's size, before it is compiled. */
const maxExpansion = 20_000;
const maxProgram = 500;
/** Characters times instructions of one match. The linear engine took up to 200 ns for each, on texts made for it. */
const maxMatch = 50_000;

const atom = String.raw`(?:[^\\^$.|?*+()[\]{}]|\.|\\[dwsDWS]|\\[^A-Za-z0-9]|\[\^?(?:[^\\[\]]|\\[dwsDWS]|\\[^A-Za-z0-9])+\])`;
const quantified = new RegExp(String.raw`${atom}([*+?]|\{(\d+)(,)?(\d*)\})?`, 'uy');

interface FlatShape {
  /** How many lengths each atom of variable length may match, and how many places the match may begin at; Infinity: any number. */
  ranges: number[];
  /** One and the characters that all atoms match, each repetition counted; of an unlimited one those that it must match. */
  characters: number;
}

/** The shape of a pattern without groups and alternatives; null for any other pattern. */
function flatShape(source: string): FlatShape | null {
  const anchored = source.startsWith('^');
  const end = source.endsWith('$') && !source.endsWith('\\$') ? source.length - 1 : source.length;
  const ranges = anchored ? [] : [Infinity];
  let characters = 1;
  for (let at = anchored ? 1 : 0; at < end; at = quantified.lastIndex) {
    quantified.lastIndex = at;
    const found = quantified.exec(source);
    if (!found || quantified.lastIndex > end) return null;
    const [least, most] = repetitions(found);
    characters += most === Infinity ? least : most;
    if (most > least) ranges.push(most - least + 1);
  }
  return { ranges, characters };
}

/** How often an atom may be repeated, at least and at most. */
function repetitions([, quantifier, least, comma, most]: RegExpExecArray): [number, number] {
  if (quantifier === undefined) return [1, 1];
  if (quantifier === '?') return [0, 1];
  if (least === undefined) return [0, Infinity];
  if (comma === undefined) return [Number(least), Number(least)];
  return [Number(least), most ? Number(most) : Infinity];
}

/** JavaScript's own engine takes at most so many steps on a text of this length. */
const flatSteps = ({ ranges, characters }: FlatShape, length: number): number =>
  ranges.reduce((steps, range) => steps * Math.min(length, range), Math.min(length, characters));

/** The shape of a pattern for JavaScript's own engine; null for one that needs the linear engine. */
function nativeShape(source: string): FlatShape | null {
  const shape = flatShape(source);
  return shape !== null && shape.ranges.length <= 2 ? shape : null;
}

/**
 * What it costs the linear engine to compile a pattern, in characters of about 10 µs: measured with groups of one letter, and with
 * repeated classes. 0 for JavaScript's own engine.
 */
export const compileCost = (source: string): number =>
  source.length > maxLength || nativeShape(source) !== null ? 0 : source.length + expansionOf(source) / 20;

/** @throws RangeError with the reason */
export function compilePattern(source: string): Pattern {
  if (source.length > maxLength) throw new RangeError(`must have at most ${maxLength} characters`);
  const shape = nativeShape(source);
  return shape === null ? complexPattern(source) : flatPattern(source, shape);
}

function expansionOf(source: string): number {
  let repeats = 1;
  for (const [, least, most] of source.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) repeats += Number(most || least);
  return source.length * repeats;
}

function flatPattern(source: string, shape: FlatShape): Pattern {
  const pattern = native(source);
  return {
    isComplex: false,
    test: (text, run) => {
      // 1 to 2 ns each, against at least 20 ns of a step of the check.
      run.spend(4 + flatSteps(shape, text.length) / 16);
      return pattern.test(text);
    },
  };
}

function native(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    throw new RangeError('is no regular expression');
  }
}

function complexPattern(source: string): Pattern {
  if (expansionOf(source) > maxExpansion) throw new RangeError('repeats too much');
  // Matching without regard to case makes classes of the linear engine large: 450 characters took 50 ms to compile.
  if (/\(\?[a-z-]+[:)]/i.test(source)) throw new RangeError('has modifiers');
  // Its own syntax first: the linear engine has a few extensions.
  native(source);
  const compiled = linear(source);
  const size = compiled.programSize();
  if (size > maxProgram) throw new RangeError('is too large');
  return {
    isComplex: true,
    test: (text, run) => {
      if (text.length * size > maxMatch) run.spend(Infinity);
      run.spend(30 + (text.length * size) / 8);
      return run.timed(() => compiled.test(text));
    },
  };
}

function linear(source: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source));
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const reason = 'uses look-around, back references or another construct that cannot be matched in linear time';
    throw new RangeError(reason, { cause: error });
  }
}
