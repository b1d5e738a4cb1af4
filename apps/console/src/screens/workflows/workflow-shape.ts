import type { TimedStep } from './critical-path';
import type { Step, WorkflowDetails } from './queries';

export type WorkflowShape = Pick<WorkflowDetails, 'jobs' | 'dependencies'>;

/** The ids of the jobs that each job waits for, among those of the workflow. */
export function parentsOf({ jobs, dependencies }: WorkflowShape): Map<string, string[]> {
  const parents = new Map<string, string[]>(jobs.map(({ id }) => [id, []]));
  for (const { parentJobId, childJobId } of dependencies) {
    if (parents.has(parentJobId)) parents.get(childJobId)?.push(parentJobId);
  }
  return parents;
}

export function timedSteps(workflow: WorkflowShape, now: number): TimedStep[] {
  const parents = parentsOf(workflow);
  return workflow.jobs.map((step) => ({
    id: step.id,
    parents: parents.get(step.id) ?? [],
    start: step.startedAt === null ? null : new Date(step.startedAt).getTime(),
    end: endOf(step, now),
  }));
}

function endOf({ status, completedAt, failedAt }: Step, now: number): number | null {
  const at = completedAt ?? failedAt;
  if (at !== null) return new Date(at).getTime();
  return status === 'processing' ? now : null;
}
