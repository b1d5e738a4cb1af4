import { canonical } from './canonical.js';
import { arrayRules } from './compatible-arrays.js';
import { objectRules } from './compatible-objects.js';
import { isSchemaObject, typesOf, type Comparison, type Rule, type Schema, type SchemaObject } from './compatible.js';
import { valueRules } from './compatible-values.js';
import { isObject } from './node.js';
import { pathOf, type PayloadIssue, type Place } from './run.js';
import { annotations, pointerOf, stepsOf } from './schema-reader.js';

const maxComparisons = 20_000;
const ignoreCost = () => undefined;

const rules: Readonly<Record<string, Rule>> = { ...valueRules, ...arrayRules, ...objectRules };

/** Of these the members or the place decide, which other rules look at. */
const lookedAtElsewhere: ReadonlySet<string> = new Set(['$defs', 'definitions', '$schema', '$id']);

/**
 * The places where a schema refuses payloads that the one before accepts, or may do so. It compares the schemas keyword by keyword and
 * never accepts a change that it cannot judge: those places are reported as undecided. Both schemas must have been read by
 * `readPayloadSchema`.
 * @param maxIssues more are not looked for
 */
export function findIncompatibilities(before: unknown, after: unknown, maxIssues: number): PayloadIssue[] {
  const comparison = new SchemaComparison(before, after, maxIssues);
  comparison.compare(before as Schema, after as Schema, null);
  return comparison.issues;
}

class SchemaComparison implements Comparison {
  readonly issues: PayloadIssue[] = [];
  private readonly compared = new Map<object, Set<object>>();
  private comparisons = 0;
  private readonly sameReferences: boolean;

  constructor(
    private readonly rootBefore: unknown,
    private readonly rootAfter: unknown,
    private readonly maxIssues: number,
  ) {
    this.sameReferences = canonical(rootBefore, ignoreCost) === canonical(rootAfter, ignoreCost);
  }

  report(place: Place | null, reason: string): void {
    const path = pathOf('schema', place);
    if (this.issues.length >= this.maxIssues || this.issues.some((issue) => issue.path === path)) return;
    this.issues.push({ path, reason });
  }

  isSame(before: unknown, after: unknown): boolean {
    if (before === undefined || after === undefined) return before === after;
    const text = canonical(after, ignoreCost);
    return canonical(before, ignoreCost) === text && (this.sameReferences || !text.includes('"$ref"'));
  }

  compare(before: Schema, after: Schema, place: Place | null): void {
    const [one, two] = [resolve(before, this.rootBefore), resolve(after, this.rootAfter)];
    if (two === true || one === false || this.issues.length >= this.maxIssues) return;
    if (two === false) return this.report(place, 'no longer allows any value');
    if (one !== true && this.hasCompared(one, two)) return;
    if (Object.keys(two).some((name) => name.startsWith('unevaluated')) && this.isSame(one, two)) return;
    if (++this.comparisons > maxComparisons)
      return this.report(null, 'undecided: the schemas are too large to be compared');
    this.compareKeywords(one === true ? {} : one, two, place);
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
    const types = typesOf(before);
    for (const name of Object.keys(after)) {
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

  private requireSame(before: SchemaObject, after: SchemaObject, name: string, place: Place): void {
    if (name.startsWith('unevaluated')) return this.report(place, 'undecided: something beside it has changed');
    if (name === '$ref' && before.$ref !== undefined) {
      return this.compare({ $ref: before.$ref }, { $ref: after.$ref }, place);
    }
    if (!this.isSame(before[name], after[name])) this.report(place, 'undecided: has been added or changed');
  }
}

/** A schema that is nothing but a reference is the schema that it names. */
function resolve(schema: Schema, root: unknown): Schema {
  let found = schema;
  // No cycle: a schema that refers to itself for the same value has been refused.
  while (isSchemaObject(found) && typeof found.$ref === 'string' && isReferenceOnly(found)) {
    found = stepsOf(pointerOf(found.$ref)!).reduce<unknown>(
      (at, step) => (isObject(at) || Array.isArray(at) ? (at as Record<string, unknown>)[step] : undefined),
      root,
    ) as Schema;
  }
  return found;
}

const isReferenceOnly = (schema: SchemaObject): boolean =>
  Object.keys(schema).every((name) => name === '$ref' || annotations.has(name) || lookedAtElsewhere.has(name));
