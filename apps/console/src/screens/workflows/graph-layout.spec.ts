import { boxHeight, type GraphNode, layOut, type Placed } from './graph-layout';

const place = (nodes: GraphNode[]): Record<string, Placed> =>
  Object.fromEntries(layOut(nodes).nodes.map((node) => [node.id, node]));

it('places each job right of all jobs that it waits for', () => {
  const { a, b, c, d } = place([
    { id: 'd', parents: ['a', 'c'] },
    { id: 'c', parents: ['b'] },
    { id: 'b', parents: ['a'] },
    { id: 'a', parents: [] },
  ]);
  expect([a!.x, b!.x, c!.x, d!.x]).toEqual([a!.x, b!.x, c!.x, d!.x].toSorted((one, other) => one - other));
  expect(new Set([a!.x, b!.x, c!.x, d!.x]).size).toBe(4);
});

it('places jobs beside those that they wait for, so that lines do not cross', () => {
  const { x, y } = place([
    { id: 'a', parents: [] },
    { id: 'b', parents: [] },
    { id: 'x', parents: ['b'] },
    { id: 'y', parents: ['a'] },
  ]);
  expect(y!.y).toBeLessThan(x!.y);
});

it('leads a line that passes a layer around its boxes', () => {
  const { nodes, edges } = layOut([
    { id: 'a', parents: [] },
    { id: 'b', parents: ['a'] },
    { id: 'c', parents: ['a', 'b'] },
  ]);
  const [point] = edges.find(({ parent, child }) => parent === 'a' && child === 'c')!.via;
  const box = nodes.find(({ id }) => id === 'b')!;
  expect(point!.x).toBe(box.x);
  expect(point!.y < box.y || point!.y > box.y + boxHeight).toBe(true);
});

it('lets no boxes overlap', () => {
  const nodes = Array.from({ length: 200 }, (_, index) => ({
    id: String(index),
    parents: index < 20 ? [] : [String(index - 20), String((index * 7) % 20)],
  }));
  const { nodes: placed, width, height } = layOut(nodes);
  const overlaps = placed.filter((one) =>
    placed.some((other) => other !== one && other.x === one.x && Math.abs(other.y - one.y) < boxHeight),
  );
  expect(overlaps).toEqual([]);
  expect(placed.every(({ x, y }) => x >= 0 && y >= 0 && x < width && y < height)).toBe(true);
});

it('does not hang on a cycle or on unknown jobs', () => {
  expect(
    layOut([
      { id: 'a', parents: ['b', 'gone'] },
      { id: 'b', parents: ['a'] },
    ]).nodes,
  ).toHaveLength(2);
  expect(layOut([]).nodes).toEqual([]);
});
