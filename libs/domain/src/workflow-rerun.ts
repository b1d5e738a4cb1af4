import type { JobOutcome } from './job.js';

/** A job of a workflow, as far as it decides what runs again. */
export interface RerunStep {
  id: string;
  key: string;
  /** Null while it has not ended. */
  outcome: JobOutcome | null;
  /** Has not ended, and waits for others. */
  isBlocked: boolean;
  mode: 'all' | 'any';
  /** The jobs that it waits for, also of other workflows; without those whose records are gone, unless these had failed. */
  parents: readonly { id: string; key: string; outcome: JobOutcome | null }[];
}

export type Rerun = { ids: string[] } | { problem: string };

/**
 * The jobs that run again when a workflow is retried from one of its jobs (SP-49): that one and what depends on it. Jobs that still wait
 * run anyway. Those that could not run, because another job that they need has not completed, stay as they are.
 * @returns or why it is not possible: the job or one that depends on it is in progress, or what it waits for has not completed
 */
export function rerunFrom(steps: readonly RerunStep[], from: RerunStep): Rerun {
  if (from.outcome === null) return { problem: `Job "${from.key}" is still in progress` };
  const missing = missingParents(from, new Set());
  if (missing.length > 0) {
    const names = missing.map((key) => `"${key}"`).join(', ');
    const isHere = steps.some(({ key }) => missing.includes(key));
    return {
      problem: `Job "${from.key}" waits for ${names}, which has not completed${isHere ? ': retry from there' : ''}`,
    };
  }
  const dependents = dependentsOf(steps, from);
  const running = dependents.find(({ outcome, isBlocked }) => outcome === null && !isBlocked);
  if (running) return { problem: `Job "${running.key}" depends on "${from.key}" and is still in progress` };
  return { ids: withoutStuck(dependents.filter(({ outcome }) => outcome !== null)) };
}

/** The step itself, and those that depend on it directly or through others. */
function dependentsOf(steps: readonly RerunStep[], from: RerunStep): RerunStep[] {
  const found = new Set([from.id]);
  const list = [from];
  // Grows while it is walked.
  for (const { id } of list) {
    for (const step of steps) {
      if (found.has(step.id) || !step.parents.some((parent) => parent.id === id)) continue;
      found.add(step.id);
      list.push(step);
    }
  }
  return list;
}

/** Leaves out what could never run, and then what could not run without that. */
function withoutStuck(steps: readonly RerunStep[]): string[] {
  const ids = new Set(steps.map(({ id }) => id));
  for (let before = -1; before !== ids.size;) {
    before = ids.size;
    for (const step of steps) if (missingParents(step, ids).length > 0) ids.delete(step.id);
  }
  return [...ids];
}

/** The keys of the jobs because of which the step cannot run, if these run again. */
function missingParents({ mode, parents }: RerunStep, again: ReadonlySet<string>): string[] {
  const missing = parents.filter(({ id, outcome }) => outcome !== null && outcome !== 'completed' && !again.has(id));
  return mode === 'any' && missing.length < parents.length ? [] : missing.map(({ key }) => key);
}
