import type { Place, Run } from './run.js';

/** A value in a large set took 150 to 250 ns. */
export const rememberSteps = 8;

/** Members and elements that a schema has evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Evaluated {
  private readonly names = new Set<string>();
  private readonly indexes = new Set<number>();
  allNames = false;
  /** Elements before this one. */
  firstIndexes = 0;

  constructor(private readonly run: Run) {}

  hasName(name: string): boolean {
    return this.allNames || this.names.has(name);
  }

  hasIndex(index: number): boolean {
    return index < this.firstIndexes || this.indexes.has(index);
  }

  /** @throws TooCostly */
  addName(name: string): void {
    this.run.spend(rememberSteps);
    this.names.add(name);
  }

  /** @throws TooCostly */
  addIndex(index: number): void {
    this.run.spend(rememberSteps);
    this.indexes.add(index);
  }

  /** @throws TooCostly */
  add(other: Evaluated): void {
    this.run.spend(rememberSteps * (other.names.size + other.indexes.size));
    for (const name of other.names) this.names.add(name);
    for (const index of other.indexes) this.indexes.add(index);
    this.allNames ||= other.allNames;
    this.firstIndexes = Math.max(this.firstIndexes, other.firstIndexes);
  }
}

/** One keyword's check of a value. Returns whether the value is valid. `evaluated` null: nobody asks. */
export type Check = (value: unknown, place: Place | null, run: Run, evaluated: Evaluated | null) => boolean;

/** A schema that has been read. */
export class SchemaNode {
  readonly checks: Check[] = [];
  /** Schemas that are applied to the same value. */
  readonly inPlace: SchemaNode[] = [];
  /** Whether it asks which members or elements its other keywords have evaluated. */
  tracksEvaluated = false;
  /** Steps of one evaluation, apart from what depends on the value. */
  cost = 1;
}

/** Whether the value is valid. Records issues unless the run is quiet. @throws TooCostly */
export function evaluate(
  node: SchemaNode,
  value: unknown,
  place: Place | null,
  run: Run,
  evaluated: Evaluated | null = null,
): boolean {
  run.enter(node.cost);
  const own = node.tracksEvaluated || evaluated ? new Evaluated(run) : null;
  let valid = true;
  for (const check of node.checks) {
    if (check(value, place, run, own)) continue;
    valid = false;
    if (run.isDecided) break;
  }
  run.leave();
  if (valid && own && evaluated) evaluated.add(own);
  return valid;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** V8 lists more members than this about ten times as slowly. */
const fastMembers = 128;

/** The names of an object's members. @param spend called with the number of steps that they cost */
export function membersOf(object: Record<string, unknown>, spend: (steps: number) => void): string[] {
  const names = Object.keys(object);
  spend(names.length * (names.length > fastMembers ? 8 : 1));
  return names;
}
