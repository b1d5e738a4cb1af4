import { canonical } from './canonical.js';
import { arrayRules } from './compatible-arrays.js';
import { objectRules } from './compatible-objects.js';
import { isSchemaObject, typesOf, type Comparison, type Rule, type Schema, type SchemaObject } from './compatible.js';
import { valueRules } from './compatible-values.js';
import { isObject } from './node.js';
import { pathOf, type PayloadIssue, type Place, TooCostly } from './run.js';
import { annotations, pointerOf, stepsOf } from './schema-reader.js';

/** Of 20 ns, as those of a check: about 40 ms. */
const maxSteps = 2_000_000;
/** Of two schemas with each other, apart from what their keywords cost. */
const stepsPerComparison = 100;
/** Comparisons within each other, so that recursive schemas do not exhaust the stack. Documents are at most 500 deep. */
const maxDepth = 500;
/** To name one step of a path. */
const stepsPerPlace = 5;

const rules: Readonly<Record<string, Rule>> = { ...valueRules, ...arrayRules, ...objectRules };

/** Of these the members or the place decide, which other rules look at. */
const lookedAtElsewhere: ReadonlySet<string> = new Set(['$defs', 'definitions', '$schema', '$id']);

/**
 * The places where a schema refuses payloads that the one before accepts, or may do so. It compares the schemas keyword by keyword and
 * never accepts a change that it cannot judge: those places are reported as undecided, and so is all that it has not reached after about
 * 40 ms. Both schemas must have been read by `readPayloadSchema`.
 * @param maxIssues more are not looked for
 */
export function findIncompatibilities(before: unknown, after: unknown, maxIssues: number): PayloadIssue[] {
  const comparison = new SchemaComparison(before, after, maxIssues);
  try {
    comparison.compareRoots();
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error;
    const reason = 'undecided: the schemas are too large to be compared';
    return [...comparison.issues.slice(0, maxIssues - 1), { path: 'schema', reason }];
  }
  return comparison.issues;
}

class SchemaComparison implements Comparison {
  readonly issues: PayloadIssue[] = [];
  private readonly compared = new Map<object, Set<object>>();
  private left = maxSteps;
  private depth = 0;
  private sameReferences = false;

  constructor(
    private readonly rootBefore: unknown,
    private readonly rootAfter: unknown,
    private readonly maxIssues: number,
  ) {}

  compareRoots(): void {
    this.sameReferences = this.textOf(this.rootBefore) === this.textOf(this.rootAfter);
    this.compare(this.rootBefore as Schema, this.rootAfter as Schema, null);
  }

  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw new TooCostly();
  }

  textOf(value: unknown): string {
    return canonical(value, (steps) => this.spend(steps));
  }

  report(place: Place | null, reason: string): void {
    for (let at = place; at !== null; at = at.parent) this.spend(stepsPerPlace);
    const path = pathOf('schema', place);
    if (this.issues.length >= this.maxIssues || this.issues.some((issue) => issue.path === path)) return;
    this.issues.push({ path, reason });
  }

  isSame(before: unknown, after: unknown): boolean {
    if (before === undefined || after === undefined) return before === after;
    const text = this.textOf(after);
    return this.textOf(before) === text && (this.sameReferences || !text.includes('"$ref"'));
  }

  compare(before: Schema, after: Schema, place: Place | null): void {
    this.spend(stepsPerComparison);
    const [one, two] = [this.resolve(before, this.rootBefore), this.resolve(after, this.rootAfter)];
    if (two === true || one === false || this.issues.length >= this.maxIssues) return;
    if (two === false) return this.report(place, 'no longer allows any value');
    if (one !== true && this.hasCompared(one, two)) return;
    if (Object.keys(two).some((name) => name.startsWith('unevaluated')) && this.isSame(one, two)) return;
    if (++this.depth > maxDepth) throw new TooCostly();
    this.compareKeywords(one === true ? {} : one, two, place);
    this.depth--;
  }

  /** Also while the comparison of the two is in progress: a recursive schema is compatible if nothing else is wrong with it. */
  private hasCompared(before: object, after: object): boolean {
    const others = this.compared.get(before) ?? new Set();
    this.compared.set(before, others);
    if (others.has(after)) return true;
    others.add(after);
    return false;
  }

  private compareKeywords(before: SchemaObject, after: SchemaObject, place: Place | null): void {
    const names = Object.keys(after);
    this.spend(names.length + (Array.isArray(before.enum) ? before.enum.length : 0));
    const types = typesOf(before);
    for (const name of names) {
      const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
      const at = { parent: place, step: name };
      if (rule) rule({ before, after, types, place: at, parent: place }, this);
      else if (!lookedAtElsewhere.has(name) && !annotations.has(name) && !name.startsWith('x-')) {
        this.requireSame(before, after, name, at);
      }
    }
    // What `properties` and `items` said before, and the new schema leaves to its other keywords.
    for (const name of ['properties', 'prefixItems', 'items', 'additionalProperties']) {
      if (Object.hasOwn(before, name) && !Object.hasOwn(after, name)) {
        rules[name]!({ before, after, types, place: { parent: place, step: name }, parent: place }, this);
      }
    }
  }

  /** A schema that is nothing but a reference is the schema that it names. */
  private resolve(schema: Schema, root: unknown): Schema {
    let found = schema;
    // No cycle: a schema that refers to itself for the same value has been refused.
    while (isSchemaObject(found) && typeof found.$ref === 'string' && isReferenceOnly(found)) {
      this.spend(stepsPerComparison + found.$ref.length);
      found = stepsOf(pointerOf(found.$ref)!).reduce<unknown>(
        (at, step) => (isObject(at) || Array.isArray(at) ? (at as Record<string, unknown>)[step] : undefined),
        root,
      ) as Schema;
    }
    return found;
  }

  private requireSame(before: SchemaObject, after: SchemaObject, name: string, place: Place): void {
    if (name.startsWith('unevaluated')) return this.report(place, 'undecided: something beside it has changed');
    if (name === '$ref' && before.$ref !== undefined) {
      return this.compare({ $ref: before.$ref }, { $ref: after.$ref }, place);
    }
    if (!this.isSame(before[name], after[name])) this.report(place, 'undecided: has been added or changed');
  }
}

const isReferenceOnly = (schema: SchemaObject): boolean =>
  Object.keys(schema).every((name) => name === '$ref' || annotations.has(name) || lookedAtElsewhere.has(name));
