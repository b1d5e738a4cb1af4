import { isObject } from '@spooled/domain';
import { JsonDocument } from './json-document.js';
import { exactLength } from './json-scan.js';

/** Where the documents are in a body: members by name, `*` for each element of an array. */
export interface DocumentTree {
  readonly [name: string]: DocumentTree | 'document';
}

const documentMembers = {
  payload: 'document',
  result: 'document',
  tags: 'document',
  metadata: 'document',
  settings: 'document',
  custom_limits: 'document',
  payload_template: 'document',
  payload_patch: 'document',
  schema: 'document',
} as const;

/** The documents in the bodies of all REST routes. A spec compares it with the schemas. */
export const restDocuments: DocumentTree = {
  ...documentMembers,
  jobs: { '*': documentMembers },
  lines: { '*': { fields: 'document' } },
  on_success: documentMembers,
  on_complete: documentMembers,
  on_death: documentMembers,
};

const [quote, backslash, comma, colon, minus, zero, nine] = [0x22, 0x5c, 0x2c, 0x3a, 0x2d, 0x30, 0x39];
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d];
const [dot, plus, exponent] = [0x2e, 0x2b, 0x65];
const lastBlank = 0x20;
const lowerCase = 0x20;

const beyondDouble = 'must not hold a number beyond the range of a double';

/**
 * Replaces the documents in a parsed body whose numbers `JSON.stringify` would change by `JsonDocument`s that keep the digits as
 * they were sent. Linear in the length of the text; call it only if the text may hold such numbers.
 * @param text valid JSON, of which `body` is the parsed value
 */
export function keepExactDocuments(text: string, body: unknown, tree: DocumentTree): void {
  new ExactReader(text).read(body, tree);
}

/** The document that is the whole text. */
export const exactDocument = (text: string, value: unknown): JsonDocument => new ExactReader(text).document(value);

/** The elements of an array, as their texts stand in the JSON text of the array. */
export const elementTexts = (array: string): string[] => new ExactReader(array).elements();

class ExactReader {
  private at = 0;

  constructor(private readonly text: string) {}

  read(value: unknown, tree: DocumentTree): void {
    const first = this.peek();
    if (first === openObject && isObject(value)) this.readObject(value, tree);
    else if (first === openArray && Array.isArray(value) && tree['*']) this.readArray(value, tree['*']);
    else this.skip();
  }

  /** Reads the next value of the text, whose parsed form is `value`. */
  document(value: unknown): JsonDocument {
    const found = new DocumentText(this.text);
    this.peek();
    this.walk(found);
    return new JsonDocument(value, found.isExact ? undefined : found.end(this.at), found.problem, found.expansion);
  }

  elements(): string[] {
    const texts: string[] = [];
    if (this.peek() !== openArray) return texts;
    this.at++;
    while (this.peek() !== closeArray) {
      const start = this.at;
      this.skip();
      texts.push(this.text.slice(start, this.at));
      if (this.peek() === comma) this.at++;
    }
    return texts;
  }

  /** Of a member that occurs twice only the last counts, as in the parser. */
  private readObject(object: Record<string, unknown>, tree: DocumentTree): void {
    this.at++;
    while (this.peek() !== closeObject) {
      const name = this.name();
      const branch = Object.hasOwn(tree, name) && Object.hasOwn(object, name) ? tree[name] : undefined;
      if (branch === undefined) this.skip();
      else if (branch === 'document') {
        const before = object[name];
        const found = this.document(before instanceof JsonDocument ? before.value : before);
        object[name] = found.isAsParsed ? found.value : found;
      } else this.read(object[name], branch);
      if (this.peek() === comma) this.at++;
    }
    this.at++;
  }

  private readArray(array: unknown[], tree: DocumentTree | 'document'): void {
    this.at++;
    for (let i = 0; this.peek() !== closeArray; i++) {
      if (tree === 'document') this.skip();
      else this.read(array[i], tree);
      if (this.peek() === comma) this.at++;
    }
    this.at++;
  }

  private name(): string {
    this.peek();
    const start = this.at;
    this.passString();
    const name = JSON.parse(this.text.slice(start, this.at)) as string;
    this.peek();
    // The colon.
    this.at++;
    return name;
  }

  private skip(): void {
    this.peek();
    this.walk(null);
  }

  /** Passes one value, and copies it to `found`. */
  private walk(found: DocumentText | null): void {
    const { text } = this;
    let depth = 0;
    found?.begin(this.at);
    do {
      const code = text.charCodeAt(this.at);
      const start = this.at;
      if (code === quote) this.passString();
      else if (code <= lastBlank) {
        this.peek();
        found?.leaveOut(start, this.at);
      } else if (code === minus || (code >= zero && code <= nine)) {
        this.passNumber(found);
      } else if (code === openObject || code === openArray) {
        depth++;
        this.at++;
      } else if (code === closeObject || code === closeArray) {
        depth--;
        this.at++;
      } else if (code === comma || code === colon) this.at++;
      else this.passWord();
    } while (depth > 0);
  }

  /** Passes blanks. Returns the code of the character that follows. */
  private peek(): number {
    let code = this.text.charCodeAt(this.at);
    while (code <= lastBlank) code = this.text.charCodeAt(++this.at);
    return code;
  }

  private passString(): void {
    const start = this.at + 1;
    let end = indexOrEnd(this.text, '"', start);
    while (this.isEscapedQuote(end, start)) end = indexOrEnd(this.text, '"', end + 1);
    this.at = end + 1;
  }

  private isEscapedQuote(at: number, start: number): boolean {
    let slashes = 0;
    while (at - slashes > start && this.text.charCodeAt(at - slashes - 1) === backslash) slashes++;
    return slashes % 2 === 1;
  }

  private passNumber(found: DocumentText | null): void {
    const { text } = this;
    const start = this.at;
    let [exponentAt, hasPoint] = [0, false];
    for (;;) {
      const code = text.charCodeAt(++this.at);
      if (code >= zero && code <= nine) continue;
      if (code === dot) hasPoint = true;
      else if ((code | lowerCase) === exponent) exponentAt = this.at + 1;
      else if (code !== minus && code !== plus) break;
    }
    found?.number(start, this.at, exponentAt, hasPoint);
  }

  /** Passes a literal. */
  private passWord(): void {
    const { text } = this;
    for (;;) {
      const code = text.charCodeAt(++this.at);
      // NaN at the end of the text.
      if (!(code > lastBlank) || code === comma || code === closeObject || code === closeArray) return;
    }
  }
}

/** A number whose length and exponent add up to less than this is within the range of a double. */
const mayBeBeyondFrom = 300;

function isBeyondDouble(source: string): boolean {
  const value = Number(source);
  return !Number.isFinite(value) || (value === 0 && /^[^e]*[1-9]/i.test(source));
}

/** Collects the text of one document: as it was sent, without blanks. */
class DocumentText {
  isExact = true;
  problem: string | null = null;
  expansion = 0;
  private readonly parts: string[] = [];
  private copiedTo = 0;

  constructor(private readonly text: string) {}

  begin(at: number): void {
    this.copiedTo = at;
  }

  leaveOut(from: number, to: number): void {
    this.parts.push(this.text.slice(this.copiedTo, from));
    this.copiedTo = to;
  }

  /** @param exponentAt where the digits of the exponent begin, 0 without one @param hasPoint whether it is a fraction */
  number(from: number, to: number, exponentAt: number, hasPoint: boolean): void {
    const { text } = this;
    const exponent = exponentAt === 0 ? 0 : this.exponentSize(exponentAt, to);
    this.expansion += exponent;
    if (exponentAt > 0 || to - from > exactLength) this.isExact = false;
    // A fraction that ends in 0, or -0.
    else if (text.charCodeAt(to - 1) === zero && (hasPoint || (text.charCodeAt(from) === minus && to - from === 2))) {
      this.isExact = false;
    }
    if (to - from + exponent >= mayBeBeyondFrom && isBeyondDouble(text.slice(from, to))) this.problem = beyondDouble;
  }

  /** Without `Number`, which takes ten times as long. */
  private exponentSize(from: number, to: number): number {
    let size = 0;
    for (let i = from; i < to; i++) {
      const digit = this.text.charCodeAt(i) - zero;
      // Not the sign.
      if (digit >= 0) size = size * 10 + digit;
    }
    return size;
  }

  end(at: number): string {
    this.parts.push(this.text.slice(this.copiedTo, at));
    return this.parts.join('');
  }
}

function indexOrEnd(text: string, part: string, from: number): number {
  const index = text.indexOf(part, from);
  return index === -1 ? text.length : index;
}
