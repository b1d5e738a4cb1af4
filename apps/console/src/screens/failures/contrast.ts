/** One property of a job that jobs can have in common, such as a tag. */
export interface Feature {
  /** What it is a value of, such as `Tag`. */
  kind: string;
  value: string;
}

export interface Difference extends Feature {
  /** Failed jobs that have it. */
  failed: number;
  /** Completed jobs that have it. */
  completed: number;
}

export interface Contrast {
  /** Values that failed jobs have more often, the surest first. */
  differences: Difference[];
  failedSize: number;
  completedSize: number;
  /** Different values that were compared: those that at least four jobs have. */
  compared: number;
}

/** A difference is shown if chance alone would make any difference of all that were compared this large in fewer than 5 of 100 cases. */
const errorShare = 0.05;
/** Fewer jobs on either side prove nothing: even 4 against 4 jobs that differ in everything do so by chance in 1 of 70 cases. */
export const fewestJobs = 5;

/** Values that fewer jobs have, such as ids, can never differ by more than chance. Without them the others need less of a difference. */
const fewestHaving = 4;

/** Which values are more frequent among failed jobs than among completed ones, by Fisher's exact test with Bonferroni's correction. */
export function contrast(failed: readonly Feature[][], completed: readonly Feature[][]): Contrast {
  const counts = new Map<string, Difference>();
  count(failed, counts, 'failed');
  count(completed, counts, 'completed');
  const values = [...counts.values()].filter((one) => one.failed + one.completed >= fewestHaving);
  const sizes = { failedSize: failed.length, completedSize: completed.length, compared: values.length };
  if (failed.length < fewestJobs || completed.length < fewestJobs) return { ...sizes, differences: [] };
  const differences = values
    .map((one) => ({ one, chance: chanceOf(one.failed, failed.length, one.completed, completed.length) }))
    .filter(({ chance }) => chance * values.length < errorShare)
    .sort((a, b) => a.chance - b.chance)
    .map(({ one }) => one);
  return { ...sizes, differences };
}

function count(jobs: readonly Feature[][], counts: Map<string, Difference>, side: 'failed' | 'completed'): void {
  for (const features of jobs) {
    const seen = new Map(features.map((feature) => [JSON.stringify([feature.kind, feature.value]), feature]));
    for (const [key, { kind, value }] of seen) {
      const entry = counts.get(key) ?? { kind, value, failed: 0, completed: 0 };
      entry[side]++;
      counts.set(key, entry);
    }
  }
}

/** The probability that at least `a` of the `a + b` jobs with a value are among the failed ones, if it has nothing to do with failing. */
function chanceOf(a: number, failedSize: number, b: number, completedSize: number): number {
  const having = a + b;
  const total = failedSize + completedSize;
  let sum = 0;
  for (let one = a; one <= Math.min(having, failedSize); one++) {
    if (having - one > completedSize) continue;
    sum += Math.exp(logChoose(failedSize, one) + logChoose(completedSize, having - one) - logChoose(total, having));
  }
  return sum;
}

function logChoose(n: number, k: number): number {
  let sum = 0;
  for (let i = 1; i <= k; i++) sum += Math.log((n - k + i) / i);
  return sum;
}
