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

export interface Edge {
  parent: string;
  child: string;
  /** Where the line passes the layers between: the middle of the gap that is kept free for it, at the left of each layer. */
  via: readonly { x: number; y: number }[];
}

export interface Layout {
  nodes: Placed[];
  edges: Edge[];
  width: number;
  height: number;
}

export const boxWidth = 192;
export const boxHeight = 56;
const lineHeight = 12;
const gapX = 48;
const gapY = 16;
/** Each sweep orders every layer by the middle of its neighbours; after four hardly anything changes. */
const sweeps = 4;

/**
 * Places each job right of all jobs that it waits for. A line that passes layers has a place of its own in each of them, so that it runs
 * behind no box. Within a layer boxes and lines are ordered by their neighbours in the layers beside it, so that few lines cross. Jobs of
 * a cycle, which the server does not accept, are placed as if they waited for nothing.
 */
export function layOut(nodes: readonly GraphNode[]): Layout {
  const known = new Set(nodes.map(({ id }) => id));
  const parents = new Map(nodes.map(({ id, parents: all }) => [id, all.filter((one) => known.has(one))]));
  const layers = layersOf(parents);
  const { neighbours, lines } = withLines(layers, parents);
  orderLayers(layers, neighbours);
  const isBox = (id: string) => known.has(id);
  const places = placeLayers(layers, isBox);
  const placed = [...places.values()];
  const edges = lines.map(({ parent, child, via }) => ({
    ...{ parent, child },
    via: via.map((id) => ({ x: places.get(id)!.x, y: places.get(id)!.y + lineHeight / 2 })),
  }));
  return {
    nodes: placed.filter(({ id }) => isBox(id)),
    edges,
    width: Math.max(0, layers.length * (boxWidth + gapX) - gapX),
    height: Math.max(0, ...layers.map((layer) => heightOf(layer, isBox))),
  };
}

type Parents = ReadonlyMap<string, readonly string[]>;
type IsBox = (id: string) => boolean;

const heightOf = (layer: readonly string[], isBox: IsBox): number =>
  layer.reduce((sum, id) => sum + (isBox(id) ? boxHeight : lineHeight) + gapY, -gapY);

function placeLayers(layers: readonly string[][], isBox: IsBox): Map<string, Placed> {
  const height = Math.max(0, ...layers.map((layer) => heightOf(layer, isBox)));
  const places = new Map<string, Placed>();
  for (const [column, layer] of layers.entries()) {
    let y = (height - heightOf(layer, isBox)) / 2;
    for (const id of layer) {
      places.set(id, { id, x: column * (boxWidth + gapX), y });
      y += (isBox(id) ? boxHeight : lineHeight) + gapY;
    }
  }
  return places;
}

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

interface Lines {
  lines: { parent: string; child: string; via: string[] }[];
  /** What stands before each box and each part of a line. */
  neighbours: Parents;
}

/** Adds a part of each line to the layers that it passes. */
function withLines(layers: string[][], parents: Parents): Lines {
  const depths = new Map(layers.flatMap((layer, depth) => layer.map((id) => [id, depth] as const)));
  const neighbours = new Map<string, string[]>();
  const lines: Lines['lines'] = [];
  for (const [child, all] of parents) {
    neighbours.set(child, []);
    for (const parent of all) {
      const via: string[] = [];
      let before = parent;
      for (let depth = depths.get(parent)! + 1; depth < depths.get(child)!; depth++) {
        const part = `line ${parent} ${child} ${depth}`;
        layers[depth]!.push(part);
        neighbours.set(part, [before]);
        via.push(part);
        before = part;
      }
      neighbours.get(child)!.push(before);
      lines.push({ parent, child, via });
    }
  }
  return { lines, neighbours };
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
