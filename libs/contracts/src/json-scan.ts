import { requestLimits } from './limits.js';

const { depth: maxDepth, numberLength, values: maxValues, distinctMembers } = requestLimits;

/** Shorter texts cannot hold enough values to matter. */
const countFromBytes = 128 * 1024;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [minus, dot, zero, nine, exponent] = [0x2d, 0x2e, 0x30, 0x39, 0x65];
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d];
const lastBlank = 0x20;

/** Objects wider than this are hash tables to the JSON parser, which shares no layout among them. */
const widestLayout = 128;

/** Only this many bytes of a name are hashed; no body has enough longer names for collisions among them to matter. */
const hashedBytes = 256;

/** Texts are read byte by byte this far; the ends of longer ones are looked up natively, which is ten times as fast. */
const nearbyBytes = 64;

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

/** The bytes that numbers and literals consist of: all but blanks, punctuation and quotes. */
const isWordByte = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte <= lastBlank || [quote, comma, colon, openObject, closeObject, openArray, closeArray].includes(byte) ? 0 : 1,
);

function endOfWord(json: Uint8Array, from: number): number {
  let i = from;
  while (i < json.length && isWordByte[json[i]!] === 1) i++;
  return i;
}

/** `JSON.stringify` preserves numbers up to this length, except with an exponent or a final 0. */
export const exactLength = 15;
const lowerCase = 0x20;

/**
 * Whether `JSON.stringify` may write a number differently from how it was sent: 16 characters or more, an exponent, a fraction
 * that ends in 0, or -0.
 */
function mayBeInexact(json: Uint8Array, from: number, to: number): boolean {
  const first = json[from]!;
  if (first !== minus && (first < zero || first > nine)) return false;
  if (to - from > exactLength) return true;
  if (first === minus && to - from === 2 && json[from + 1] === zero) return true;
  let isFraction = false;
  for (let i = from; i < to; i++) {
    const byte = json[i]!;
    if (byte === dot) isFraction = true;
    else if ((byte | lowerCase) === exponent) return true;
  }
  return isFraction && json[to - 1] === zero;
}

/** Where the quote stands that ends a text; the length of `json` when none does. */
function endOfText(json: Uint8Array, from: number): number {
  let i = from;
  while (i < json.length) {
    for (const near = i + nearbyBytes; i < near; i++) {
      if (json[i] === quote || i >= json.length) return i;
      if (json[i] === backslash) i++;
    }
    const end = json.indexOf(quote, i);
    if (end === -1) break;
    let slashes = 0;
    while (end - slashes > i && json[end - slashes - 1] === backslash) slashes++;
    if (slashes % 2 === 0) return end;
    i = end + 1;
  }
  return json.length;
}

function hashOf(json: Uint8Array, from: number, to: number): number {
  let hash = to - from;
  const end = Math.min(to, from + hashedBytes);
  for (let i = from; i < end; i++) {
    hash = Math.imul(hash ^ json[i]!, multiplier);
    // Without this, one multiplier in fourteen let similar names share so many hashes that twice the allowed members passed.
    hash ^= hash >>> 15;
  }
  return hash;
}

/** Read in one call: many short calls are compiled sooner than one long loop, and better. */
const stepBytes = 16 * 1024;

/** Reads a JSON text from its beginning to its end. */
class JsonScan {
  private readonly count: ValueCount | null;
  private at = 0;
  private depth = 0;
  private textStart = 0;
  private textEnd = 0;
  hasInexactNumbers = false;

  constructor(private readonly json: Uint8Array) {
    this.count = json.length < countFromBytes ? null : new ValueCount();
  }

  get isOver(): boolean {
    return this.at >= this.json.length;
  }

  /** Reads some kilobytes, or more to the end of a text. Returns what makes the text too costly, as the end of a sentence. */
  step(): string | null {
    const { json, count } = this;
    const end = Math.min(this.at + stepBytes, json.length);
    let i = this.at;
    for (; i < end; i++) {
      const byte = json[i]!;
      if (byte <= lastBlank) continue;
      if (byte === quote) {
        this.textStart = i + 1;
        this.textEnd = i = endOfText(json, i + 1);
      } else if (byte === comma) count?.comma(this.depth);
      else if (byte === colon) count?.member(this.depth, hashOf(json, this.textStart, this.textEnd));
      else if (isWordByte[byte] === 1) {
        const start = i;
        i = endOfWord(json, i) - 1;
        this.hasInexactNumbers ||= mayBeInexact(json, start, i + 1);
        if (i - start >= numberLength) return `holds a number of more than ${numberLength} characters`;
        continue;
      } else if (byte === openObject || byte === openArray) {
        if (++this.depth > maxDepth) return `is nested deeper than ${maxDepth} levels`;
        count?.open(this.depth, byte === openArray);
      } else if (--this.depth < 0) return this.leaveToParser();
      if (count?.problem) return count.problem;
    }
    this.at = i;
    return null;
  }

  /** It stops at what is not JSON, and never reads what follows. */
  private leaveToParser(): null {
    this.at = this.json.length;
    return null;
  }
}

export interface JsonFindings {
  /** Why the text is too expensive to parse, worded to follow its name; null when it is not. */
  problem: string | null;
  /** Whether `JSON.stringify` may write some of its numbers differently from how they were sent. */
  hasInexactNumbers: boolean;
}

/** Reads a JSON text once, before it is parsed. Does not check that it is JSON: the parser does. */
export function scanJson(json: Uint8Array): JsonFindings {
  const scan = new JsonScan(json);
  let problem: string | null = null;
  while (problem === null && !scan.isOver) problem = scan.step();
  return { problem, hasInexactNumbers: scan.hasInexactNumbers };
}
