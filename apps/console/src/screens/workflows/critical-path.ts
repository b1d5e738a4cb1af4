/** A step with its times in milliseconds since the epoch. */
export interface TimedStep {
  id: string;
  parents: readonly string[];
  start: number | null;
  /** When it ended, or now while it runs; null if it has not begun. */
  end: number | null;
}

export interface Timing {
  /** The steps on which the end of the workflow depended, the first of them first; empty while nothing has begun. */
  criticalPath: string[];
  /** From the start of the first of them to the end of the last one. */
  pathMs: number;
  /** The step that ran longest. */
  slowest: string | null;
  slowestMs: number;
}

/** From the step that ended last back through the parent, in each case, that ended last: only these could have made the workflow shorter. */
export function timingOf(steps: readonly TimedStep[]): Timing {
  const begun = steps.filter((step): step is TimedStep & { start: number; end: number } => hasTimes(step));
  const byId = new Map(begun.map((step) => [step.id, step]));
  const path: string[] = [];
  let at = last(begun);
  const end = at?.end ?? 0;
  let start = end;
  while (at && !path.includes(at.id)) {
    path.unshift(at.id);
    start = at.start;
    at = last(at.parents.map((id) => byId.get(id)).filter((parent) => parent !== undefined));
  }
  const slowest = begun.reduce<(typeof begun)[number] | null>(
    (most, step) => (most === null || step.end - step.start > most.end - most.start ? step : most),
    null,
  );
  return {
    criticalPath: path,
    pathMs: Math.max(0, end - start),
    slowest: slowest?.id ?? null,
    slowestMs: slowest ? slowest.end - slowest.start : 0,
  };
}

const hasTimes = ({ start, end }: TimedStep): boolean => start !== null && end !== null;

const last = <T extends { end: number }>(steps: readonly T[]): T | undefined =>
  steps.reduce<T | undefined>((latest, step) => (latest && latest.end >= step.end ? latest : step), undefined);
