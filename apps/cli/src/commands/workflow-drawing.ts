import { printable } from '../io/printable.js';

export interface WorkflowNode {
  id: string;
  key: string;
  status: string;
  /** Keys or ids of the jobs that it waits for. */
  dependsOn: string[];
}

/**
 * A workflow as a tree of text. Each job stands below the first job that it waits for; the others are named beside it.
 * @param shown how a status is printed
 */
export function drawWorkflow(jobs: WorkflowNode[], shown: (status: string) => string): string[] {
  const byName = new Map(jobs.flatMap((job) => [[job.id, job] as const, [job.key, job] as const]));
  const childrenOf = new Map<WorkflowNode | null, WorkflowNode[]>();
  for (const job of jobs) {
    const parent = byName.get(job.dependsOn[0] ?? '') ?? null;
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), job]);
  }
  const lines: string[] = [];
  // Not recursive: a workflow may be a chain of a thousand jobs.
  const open = (childrenOf.get(null) ?? []).map((job) => ({ job, before: '', below: '' })).reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    const { job, before, below } = next;
    lines.push(`${before}${printable(job.key)}  ${shown(job.status)}${alsoAfter(job, byName)}`);
    const children = childrenOf.get(job) ?? [];
    const last = children.length - 1;
    open.push(
      ...children
        .map((child, i) => ({
          job: child,
          before: `${below}${i === last ? '└─ ' : '├─ '}`,
          below: `${below}${i === last ? '   ' : '│  '}`,
        }))
        .reverse(),
    );
  }
  return lines;
}

function alsoAfter({ dependsOn }: WorkflowNode, byName: Map<string, WorkflowNode>): string {
  const others = dependsOn.slice(1).map((name) => printable(byName.get(name)?.key ?? name));
  return others.length === 0 ? '' : `  (also after ${others.join(', ')})`;
}
