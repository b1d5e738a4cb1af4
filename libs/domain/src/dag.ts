/** A step of a workflow and the steps that it waits for, all by the caller's own names. */
export interface DagNode {
  key: string;
  dependsOn: readonly string[];
}

export type DagOrder<N extends DagNode> = { ok: true; order: N[] } | { ok: false; problem: string };

/**
 * The steps in an order in which every step comes after those that it waits for; otherwise as given. Or why there is no such order:
 * a key that is not unique, a dependency on a key that does not exist, a cycle.
 */
export function orderDag<N extends DagNode>(nodes: readonly N[]): DagOrder<N> {
  const byKey = new Map<string, N>();
  for (const node of nodes) {
    if (byKey.has(node.key)) return problem(`Job key "${node.key}" is not unique`);
    byKey.set(node.key, node);
  }
  for (const { key, dependsOn } of nodes) {
    const unknown = dependsOn.find((parent) => !byKey.has(parent));
    if (unknown !== undefined) return problem(`Job "${key}" depends on unknown job key "${unknown}"`);
  }
  return sortDag(nodes);
}

/** Topological sort (Kahn); nodes that remain are part of a cycle. */
function sortDag<N extends DagNode>(nodes: readonly N[]): DagOrder<N> {
  const children = new Map<string, N[]>();
  const open = new Map<string, number>();
  for (const node of nodes) {
    const parents = new Set(node.dependsOn);
    open.set(node.key, parents.size);
    for (const parent of parents) children.set(parent, [...(children.get(parent) ?? []), node]);
  }
  const order = nodes.filter(({ key }) => open.get(key) === 0);
  // Grows while it is walked.
  for (const { key } of order) {
    for (const child of children.get(key) ?? []) {
      const left = open.get(child.key)! - 1;
      open.set(child.key, left);
      if (left === 0) order.push(child);
    }
  }
  if (order.length === nodes.length) return { ok: true, order };
  const round = nodes.filter(({ key }) => open.get(key)! > 0).map(({ key }) => key);
  return problem(`The jobs depend on each other in a cycle: ${round.slice(0, 5).join(', ')}`);
}

const problem = (text: string): { ok: false; problem: string } => ({ ok: false, problem: text });
