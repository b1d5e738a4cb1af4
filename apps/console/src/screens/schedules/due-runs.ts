/** How a time at which a schedule was due went. */
export interface DueRun {
  /** When it was due. */
  at: string;
  /** How long after that the run began; null when there was none. */
  delayMs: number | null;
}

/** A schedule fires less than a second after its time; two seconds more are not worth a word. */
export const lateMs = 3_000;

/**
 * Which of the times had no run, or a late one. The run of a time is the first that began before the next time. The last time has no
 * next one, and is left out, as are times to come.
 */
export function compareWithDue(due: readonly string[], begun: readonly string[], now: number): DueRun[] {
  const starts = begun.map((one) => new Date(one).getTime()).sort((one, other) => one - other);
  const times = due.map((at) => new Date(at).getTime());
  return due.slice(0, -1).flatMap((at, index): DueRun[] => {
    const [from, to] = [times[index]!, times[index + 1]!];
    const run = starts.find((start) => start >= from && start < to);
    if (run === undefined) return to > now ? [] : [{ at, delayMs: null }];
    return run - from < lateMs ? [] : [{ at, delayMs: run - from }];
  });
}

/** From when on runs can be compared: since the last change of the schedule, and as far back as its runs are known. */
export function comparableSince(
  updatedAt: string,
  runs: readonly { startedAt: string }[],
  limit: number,
): string | null {
  const oldest = runs.slice(0, limit).at(-1)?.startedAt;
  if (oldest === undefined) return null;
  return new Date(oldest).getTime() > new Date(updatedAt).getTime() ? oldest : updatedAt;
}
