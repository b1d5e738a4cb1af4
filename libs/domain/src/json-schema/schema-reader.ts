import { arrayKeywords, unevaluatedItems } from './array-keywords.js';
import { logicKeywords } from './logic-keywords.js';
import { isObject, SchemaNode } from './node.js';
import { objectKeywords, unevaluatedProperties } from './object-keywords.js';
import { compileCost, compilePattern, type Pattern } from './patterns.js';
import { pathOf, type Place, TooCostly } from './run.js';
import { type Keyword, type SchemaAt, SchemaProblem } from './schema-at.js';
import { valueKeywords } from './value-keywords.js';

const maxSchemas = 1_000;
/** Each takes up to 5 ms to compile. */
const maxComplexPatterns = 8;
const dialect = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

const definitions =
  (name: string): Keyword =>
  (value, schema) => {
    if (!isObject(value)) throw schema.refuse(name, 'must be an object');
    for (const [key, sub] of Object.entries(value)) schema.sub(sub, name, key);
    return null;
  };

/** In the order in which they are checked. */
const keywords: Readonly<Record<string, Keyword>> = {
  ...valueKeywords,
  ...arrayKeywords,
  ...objectKeywords,
  ...logicKeywords,
  $defs: definitions('$defs'),
  definitions: definitions('definitions'),
  unevaluatedItems,
  unevaluatedProperties,
};
const ordered = Object.entries(keywords);

/** They say something about a value and check nothing. */
export const annotations: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
]);
/** Of the whole document. */
const rootOnly: ReadonlySet<string> = new Set(['$schema', '$id']);

const escaped = (step: string | number): string => String(step).replaceAll('~', '~0').replaceAll('/', '~1');

/** The steps of a JSON pointer. */
export const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The pointer of a reference in this document, as `escaped` writes it; null for any other reference. */
export function pointerOf(reference: string): string | null {
  if (!/^#(?:\/|$)/.test(reference)) return null;
  try {
    return stepsOf(decodeURIComponent(reference))
      .map((step) => `/${escaped(step)}`)
      .join('');
  } catch {
    return null;
  }
}

/** Reads a JSON Schema of the dialect 2020-12. References may name schemas of the same document only. */
export class SchemaReader {
  /** By JSON pointer. Of those that a reference has named already, some are not read yet. */
  private readonly nodes = new Map<string, SchemaNode>();
  private readonly unread = new Map<string, SchemaProblem>();
  private readonly patterns = new Map<string, Pattern>();
  private complexPatterns = 0;

  /** @param compileLeft how much the patterns may cost to compile, as `compileCost` says */
  constructor(private compileLeft = Infinity) {}

  /** @throws SchemaProblem; TooCostly when the patterns cost more than they may */
  readDocument(schema: unknown): SchemaNode {
    const root = this.read(schema, null, '');
    for (const problem of this.unread.values()) throw problem;
    this.refuseCycles();
    return root;
  }

  private read(schema: unknown, place: Place | null, pointer: string): SchemaNode {
    const node = this.nodes.get(pointer) ?? new SchemaNode();
    this.nodes.set(pointer, node);
    this.unread.delete(pointer);
    if (this.nodes.size > maxSchemas) throw problem(place, `has more than ${maxSchemas} schemas in it`);
    if (typeof schema === 'boolean') {
      if (!schema) node.checks.push((_value, where, run) => run.fail(where, 'is not allowed'));
    } else if (isObject(schema)) this.readKeywords(schema, node, place, pointer);
    else throw problem(place, 'must be an object, true or false');
    return node;
  }

  private readKeywords(schema: Record<string, unknown>, node: SchemaNode, place: Place | null, pointer: string): void {
    for (const name of Object.keys(schema)) this.checkName(name, schema[name], place);
    const at = this.at(schema, node, place, pointer);
    for (const [name, keyword] of ordered) {
      if (!Object.hasOwn(schema, name)) continue;
      const check = keyword(schema[name], at);
      if (check) node.checks.push(check);
      node.cost++;
    }
  }

  private checkName(name: string, value: unknown, place: Place | null): void {
    if (Object.hasOwn(keywords, name) || annotations.has(name) || name.startsWith('x-')) return;
    if (place === null && rootOnly.has(name)) {
      if (name === '$id' || (typeof value === 'string' && dialect.test(value))) return;
      throw problem({ parent: place, step: name }, 'must be https://json-schema.org/draft/2020-12/schema');
    }
    throw problem(
      { parent: place, step: name },
      name.startsWith('$')
        ? 'is not supported here; references are $ref with #/… to a schema of this document'
        : 'is no keyword of JSON Schema 2020-12; the name of an extension begins with x-',
    );
  }

  private at(schema: Record<string, unknown>, node: SchemaNode, place: Place | null, pointer: string): SchemaAt {
    const sub: SchemaAt['sub'] = (value, ...steps) => {
      const where = steps.reduce<Place | null>((parent, step) => ({ parent, step }), place);
      return this.read(value, where, pointer + steps.map((step) => `/${escaped(step)}`).join(''));
    };
    const inPlace = (target: SchemaNode) => (node.inPlace.push(target), target);
    const refuse: SchemaAt['refuse'] = (step, reason) => problem({ parent: place, step }, reason);
    return {
      schema,
      node,
      sub,
      subInPlace: (value, ...steps) => inPlace(sub(value, ...steps)),
      reference: (value) => inPlace(this.target(value, (reason) => refuse('$ref', reason))),
      pattern: (step, source) => this.pattern(source, (reason) => refuse(step, reason)),
      refuse,
    };
  }

  private target(reference: unknown, refuse: (reason: string) => SchemaProblem): SchemaNode {
    const pointer = typeof reference === 'string' ? pointerOf(reference) : null;
    if (pointer === null) throw refuse('must be # or #/… : only schemas of this document can be named');
    const known = this.nodes.get(pointer);
    if (known) return known;
    const node = new SchemaNode();
    this.nodes.set(pointer, node);
    this.unread.set(pointer, refuse('names no schema of this document'));
    return node;
  }

  private pattern(source: unknown, refuse: (reason: string) => SchemaProblem): Pattern {
    if (typeof source !== 'string') throw refuse('must be a regular expression');
    const known = this.patterns.get(source);
    if (known) return known;
    this.compileLeft -= compileCost(source);
    if (this.compileLeft < 0) throw new TooCostly();
    const pattern = this.compiled(source, refuse);
    if (pattern.isComplex && ++this.complexPatterns > maxComplexPatterns) {
      throw refuse(`more than ${maxComplexPatterns} patterns have groups, alternatives or many repetitions`);
    }
    this.patterns.set(source, pattern);
    return pattern;
  }

  private compiled(source: string, refuse: (reason: string) => SchemaProblem): Pattern {
    try {
      return compilePattern(source);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw refuse(`the pattern ${error.message}`);
    }
  }

  /** A schema that applies itself to the same value would never come to an end. */
  private refuseCycles(): void {
    const done = new Set<SchemaNode>();
    const open = new Set<SchemaNode>();
    const visit = (node: SchemaNode): void => {
      if (done.has(node)) return;
      if (open.has(node)) throw problem(null, 'has a schema that refers to itself for the same value');
      open.add(node);
      node.inPlace.forEach(visit);
      open.delete(node);
      done.add(node);
    };
    for (const node of this.nodes.values()) visit(node);
  }
}

const problem = (place: Place | null, reason: string): SchemaProblem =>
  new SchemaProblem(pathOf('schema', place), reason);
