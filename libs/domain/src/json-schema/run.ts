/** Where a value is in its document: the names and indexes that lead to it, the last one first. Null = the document itself. */
export interface Place {
  parent: Place | null;
  step: string | number;
}

/** What a payload does wrong, and where: `payload.items[3].sku`. */
export interface PayloadIssue {
  path: string;
  reason: string;
}

const maxStepLength = 64;
const maxPathLength = 255;
const plainName = /^[A-Za-z_$][\w$-]*$/;

const stepText = (step: string | number): string => {
  if (typeof step === 'number') return `[${step}]`;
  const name = step.length > maxStepLength ? `${step.slice(0, maxStepLength)}…` : step;
  return plainName.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
};

/** The path of a place as a caller would write it. Long names and paths are cut. */
export function pathOf(root: string, place: Place | null): string {
  const steps: string[] = [];
  for (let at = place; at !== null; at = at.parent) steps.push(stepText(at.step));
  const path = root + steps.reverse().join('');
  return path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path;
}

/** Thrown out of a check that would take too long. */
export class TooCostly extends Error {}

/** At least 20 ns each: about 20 ms, measured with the largest payloads. */
export const maxSteps = 1_000_000;
/** Of a check with patterns that need the linear engine; a single match of the longest permitted text takes up to 10 ms more. */
const maxPatternMs = 30;
/** Evaluations within each other. Documents are at most 500 deep; references may add to that. */
const maxDepth = 2_000;

export interface CheckOptions {
  /** Name of the document in the paths of issues. */
  root: string;
  /** More are not looked for. */
  maxIssues: number;
  /** CPU time of the thread in milliseconds: other processes must not decide about a payload. */
  cpuMs: () => number;
  /** Default: what a payload may cost. With less, a check that is too costly says nothing about the payload. */
  limits?: CheckLimits;
}

export interface CheckLimits {
  steps: number;
  patternMs: number;
}

/** One check of one payload: what it may still cost, and the issues that it has found. */
export class Run {
  readonly issues: PayloadIssue[] = [];
  /** Above 0 while an alternative is tried, whose failure is no issue. */
  private quiet = 0;
  private depth = 0;
  private startedMs: number | null = null;
  private lastMs = 0;
  private readonly limits: CheckLimits;
  private left: number;

  constructor(private readonly options: CheckOptions) {
    this.limits = options.limits ?? { steps: maxSteps, patternMs: maxPatternMs };
    this.left = this.limits.steps;
  }

  /** Steps so far. */
  get spent(): number {
    return this.limits.steps - this.left;
  }

  /** CPU time from the first timed match to the end of the last one, milliseconds: their steps say little about it. */
  get timedMs(): number {
    return this.lastMs - (this.startedMs ?? this.lastMs);
  }

  /** Whether the rest cannot change the result. */
  get isDecided(): boolean {
    return this.quiet > 0 || this.issues.length >= this.options.maxIssues;
  }

  /** @throws TooCostly */
  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw new TooCostly();
  }

  /** @throws TooCostly */
  enter(steps: number): void {
    this.spend(steps);
    if (++this.depth > maxDepth) throw new TooCostly();
  }

  leave(): void {
    this.depth--;
  }

  /** Records an issue unless an alternative is being tried. Returns false. */
  fail(place: Place | null, reason: string): false {
    if (!this.isDecided) this.issues.push({ path: pathOf(this.options.root, place), reason });
    return false;
  }

  /** Runs `check` without recording issues. */
  quietly(check: () => boolean): boolean {
    this.quiet++;
    const valid = check();
    this.quiet--;
    return valid;
  }

  /** Runs a match whose time cannot be predicted. @throws TooCostly when the check has taken too long since the first of them */
  timed(match: () => boolean): boolean {
    const { cpuMs } = this.options;
    this.startedMs ??= cpuMs();
    const matches = match();
    this.lastMs = cpuMs();
    if (this.timedMs > this.limits.patternMs) throw new TooCostly();
    return matches;
  }
}
