/** A job of a workflow and the jobs that it waits for. */
export interface GraphNode {
  id: string;
  parents: readonly string[];
}

export interface Placed {
  id: string;
  /** Of the box's left upper corner, in pixels. */
  x: number;
  y: number;
}

export interface Layout {
  nodes: Placed[];
  width: number;
  height: number;
}

export const boxWidth = 176;
export const boxHeight = 56;
const gapX = 56;
const gapY = 16;
/** Each sweep orders every layer by the middle of its neighbours; after four hardly anything changes. */
const sweeps = 4;

/**
 * Places each job right of all jobs that it waits for. Within a layer jobs are ordered by their neighbours in the layers beside it, so
 * that few lines cross. Jobs of a cycle, which the server does not accept, are placed as if they waited for nothing.
 */
export function layOut(nodes: readonly GraphNode[]): Layout {
  const known = new Set(nodes.map(({ id }) => id));
  const parents = new Map(nodes.map(({ id, parents: all }) => [id, all.filter((one) => known.has(one))]));
  const layers = layersOf(parents);
  orderLayers(layers, parents);
  const most = Math.max(1, ...layers.map(({ length }) => length));
  const height = most * (boxHeight + gapY) - gapY;
  const placed = layers.flatMap((layer, column) => {
    const free = height - (layer.length * (boxHeight + gapY) - gapY);
    return layer.map((id, row) => ({
      id,
      x: column * (boxWidth + gapX),
      y: free / 2 + row * (boxHeight + gapY),
    }));
  });
  return { nodes: placed, width: Math.max(0, layers.length * (boxWidth + gapX) - gapX), height };
}

type Parents = ReadonlyMap<string, readonly string[]>;

/** The layer of a job is one more than the last of those that it waits for. */
function layersOf(parents: Parents): string[][] {
  const depths = new Map<string, number>();
  const depthOf = (id: string, path: ReadonlySet<string>): number => {
    const known = depths.get(id);
    if (known !== undefined) return known;
    if (path.has(id)) return -1;
    const inside = new Set(path).add(id);
    const depth = 1 + Math.max(-1, ...parents.get(id)!.map((parent) => depthOf(parent, inside)));
    depths.set(id, depth);
    return depth;
  };
  const layers: string[][] = [];
  for (const id of parents.keys()) (layers[depthOf(id, new Set())] ??= []).push(id);
  return layers;
}

function orderLayers(layers: string[][], parents: Parents): void {
  const children = new Map<string, string[]>();
  for (const [id, all] of parents)
    for (const parent of all) children.set(parent, [...(children.get(parent) ?? []), id]);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const neighbours: Parents = sweep % 2 === 0 ? parents : children;
    const order = new Map(layers.flatMap((layer) => layer.map((id, index) => [id, index / layer.length] as const)));
    const inTurn = sweep % 2 === 0 ? layers : [...layers].reverse();
    for (const layer of inTurn) {
      const middles = new Map(layer.map((id) => [id, middleOf(neighbours.get(id) ?? [], order) ?? order.get(id)!]));
      layer.sort((one, other) => middles.get(one)! - middles.get(other)!);
      layer.forEach((id, index) => order.set(id, index / layer.length));
    }
  }
}

function middleOf(ids: readonly string[], order: ReadonlyMap<string, number>): number | null {
  if (ids.length === 0) return null;
  return ids.reduce((sum, id) => sum + order.get(id)!, 0) / ids.length;
}
