import { requestLimits } from './limits.js';

const { depth: maxDepth, numberLength, values: maxValues, distinctMembers } = requestLimits;

/** Shorter texts cannot hold enough values to matter. */
const countFromBytes = 128 * 1024;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d];
const lastBlank = 0x20;

/** Objects wider than this are hash tables to the JSON parser, which shares no layout among them. */
const widestLayout = 128;

/** Random, so that callers cannot choose colliding names; odd, so that no bit is lost. */
const multiplier = (Math.floor(Math.random() * 2 ** 30) << 1) | 0x10001;

const seenBits = 20;
/** Which members have been seen in which layouts: a Bloom filter with one hash. */
const seen = new Uint8Array(2 ** (seenBits - 3));

/** Counts the members of a text, and how many of them begin a layout that no earlier object has. */
class ValueCount {
  private readonly layouts = new Int32Array(maxDepth + 1);
  private readonly widths = new Int32Array(maxDepth + 1);
  private readonly isArray = new Uint8Array(maxDepth + 1);
  private values = 0;
  private distinct = 0;

  constructor() {
    seen.fill(0);
  }

  open(depth: number, isArray: boolean): void {
    this.layouts[depth] = 0;
    this.widths[depth] = 0;
    this.isArray[depth] = isArray ? 1 : 0;
    if (isArray) this.values++;
  }

  comma(depth: number): void {
    this.values += this.isArray[depth]!;
  }

  member(depth: number, name: number): void {
    const layout = Math.imul(this.layouts[depth]! ^ name, multiplier) ^ (name >>> 15);
    const bit = (layout ^ (layout >>> 12)) >>> (32 - seenBits);
    const mask = 1 << (bit & 7);
    if ((seen[bit >> 3]! & mask) === 0 || ++this.widths[depth]! > widestLayout) this.distinct++;
    seen[bit >> 3]! |= mask;
    this.layouts[depth] = layout;
    this.values++;
  }

  get problem(): string | null {
    if (this.values > maxValues) return `holds more than ${maxValues} members and elements`;
    return this.distinct > distinctMembers
      ? `holds more than ${distinctMembers} members in objects that differ from one another`
      : null;
  }
}

/**
 * Why a JSON text is too expensive to parse, worded to follow its name; null when it is not. Reads the bytes once
 * and does not check that they are JSON: the parser does. Texts too short to be beyond a limit are not read.
 */
export function costlyJson(json: Uint8Array): string | null {
  if (json.length <= numberLength) return null;
  const count = json.length < countFromBytes ? null : new ValueCount();
  let depth = 0;
  for (let i = 0, name = 0, run = 0; i < json.length; i++) {
    const byte = json[i]!;
    if (byte === quote) {
      name = 0;
      for (i++; i < json.length && json[i] !== quote; i++) {
        name = Math.imul(name + json[i]!, multiplier);
        if (json[i] === backslash) name = Math.imul(name + (json[++i] ?? 0), multiplier);
      }
    } else if (byte === openObject || byte === openArray) {
      if (++depth > maxDepth) return `is nested deeper than ${maxDepth} levels`;
      count?.open(depth, byte === openArray);
    } else if (byte === closeObject || byte === closeArray) depth = Math.max(depth - 1, 0);
    else if (byte === comma) count?.comma(depth);
    else if (byte === colon) count?.member(depth, name);
    else if (byte > lastBlank) {
      // A number, or a word of at most five letters.
      if (++run > numberLength) return `holds a number of more than ${numberLength} characters`;
      continue;
    }
    run = 0;
    if (count?.problem) return count.problem;
  }
  return null;
}
