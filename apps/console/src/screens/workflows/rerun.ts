import type { Step } from './queries';
import { parentsOf, type WorkflowShape } from './workflow-shape';

/** What runs again by a retry from one job, or why that is not possible; the server decides by the same rules. */
export type Rerun = { steps: Step[]; problem: null } | { steps: []; problem: string };

const hasEnded = ({ status }: Step): boolean => !['pending', 'scheduled', 'processing'].includes(status);
const hasFailed = (step: Step): boolean => hasEnded(step) && step.status !== 'completed';
const refused = (problem: string): Rerun => ({ steps: [], problem });

/** The job and all that depend on it, less those that another failed job blocks and those that still wait. */
export function rerunFrom(workflow: WorkflowShape, from: Step): Rerun {
  const byId = new Map(workflow.jobs.map((step) => [step.id, step]));
  const parents = parentsOf(workflow);
  const missing = (step: Step, again: ReadonlySet<string>): Step[] => {
    const own = parents.get(step.id)!.map((id) => byId.get(id)!);
    const failed = own.filter((parent) => hasFailed(parent) && !again.has(parent.id));
    return step.dependencyMode === 'any' && failed.length < own.length ? [] : failed;
  };
  if (!hasEnded(from)) return refused('it is still in progress');
  const [blocking] = missing(from, new Set());
  if (blocking) return refused(`it waits for ${blocking.key}, which has not completed`);
  const dependents = dependentsOf(workflow, parents, from.id);
  const running = dependents.find((step) => step.status === 'processing');
  if (running) return refused(`${running.key} depends on it and is still in progress`);
  const again = new Set(dependents.filter(hasEnded).map(({ id }) => id));
  for (let before = -1; before !== again.size;) {
    before = again.size;
    for (const id of again) if (missing(byId.get(id)!, again).length > 0) again.delete(id);
  }
  return { steps: workflow.jobs.filter(({ id }) => again.has(id)), problem: null };
}

function dependentsOf({ jobs }: WorkflowShape, parents: ReadonlyMap<string, string[]>, from: string): Step[] {
  const found = new Set([from]);
  // Grows while it is walked.
  for (const id of found) for (const step of jobs) if (parents.get(step.id)!.includes(id)) found.add(step.id);
  return jobs.filter(({ id }) => found.has(id));
}
