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
  spans: number;
  fixed: number;
}

/**
 * Of a pattern without groups and alternatives: how many of its atoms may match different lengths, and how often atoms are repeated
 * otherwise; null for any other pattern. On a text of n characters JavaScript's own engine then takes at most n ** spans * fixed steps.
 */
function flatShape(source: string): FlatShape | null {
  const anchored = source.startsWith('^');
  const end = source.endsWith('$') && !source.endsWith('\\$') ? source.length - 1 : source.length;
  let [spans, fixed] = [anchored ? 0 : 1, 1];
  for (let at = anchored ? 1 : 0; at < end; at = quantified.lastIndex) {
    quantified.lastIndex = at;
    const found = quantified.exec(source);
    if (!found || quantified.lastIndex > end) return null;
    const [, quantifier, least, comma] = found;
    if (least !== undefined) fixed += Number(least);
    if (quantifier !== undefined && (least === undefined || comma !== undefined)) spans++;
  }
  return { spans, fixed };
}

/** @throws RangeError with the reason */
export function compilePattern(source: string): Pattern {
  if (source.length > maxLength) throw new RangeError(`must have at most ${maxLength} characters`);
  const shape = flatShape(source);
  if (shape !== null && shape.spans <= 2) return flatPattern(source, shape);
  return complexPattern(source);
}

function flatPattern(source: string, { spans, fixed }: FlatShape): Pattern {
  const pattern = native(source);
  return {
    isComplex: false,
    test: (text, run) => {
      const { length } = text;
      // 1 to 2 ns each, against at least 20 ns of a step of the check.
      run.spend(4 + (length ** spans * Math.min(length, fixed)) / 16);
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
  let repeats = 1;
  for (const [, least, most] of source.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) repeats += Number(most || least);
  if (source.length * repeats > maxExpansion) throw new RangeError('repeats too much');
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
