import fc from 'fast-check';
import { type DagNode, orderDag } from './dag.js';

const node = (key: string, ...dependsOn: string[]): DagNode => ({ key, dependsOn });
const problemOf = (...nodes: DagNode[]) => {
  const answer = orderDag(nodes);
  return answer.ok ? null : answer.problem;
};

/** Any graph without circles, its steps shuffled: step i waits only for steps before i. */
const acyclic = fc
  .array(fc.array(fc.nat()), { minLength: 1, maxLength: 30 })
  .map((picks) => picks.map((on, i) => node(`s${i}`, ...(i === 0 ? [] : on.map((n) => `s${n % i}`)))))
  .chain((nodes) => fc.shuffledSubarray(nodes, { minLength: nodes.length }));

describe('the order of a workflow', () => {
  it('SP-49 puts every step after those that it waits for, each step once', () => {
    fc.assert(
      fc.property(acyclic, (nodes) => {
        const answer = orderDag(nodes);
        if (!answer.ok) throw new Error(answer.problem);
        const place = new Map(answer.order.map(({ key }, i) => [key, i]));
        expect(place.size).toBe(nodes.length);
        for (const { key, dependsOn } of nodes) {
          for (const parent of dependsOn) expect(place.get(parent)!).toBeLessThan(place.get(key)!);
        }
      }),
    );
  });

  it('SP-49 finds every circle', () => {
    fc.assert(
      fc.property(acyclic, fc.nat(), (nodes, n) => {
        const target = nodes[n % nodes.length]!;
        const ring = [node('in', target.key, 'out'), node('out', 'in')];
        expect(problemOf(...nodes, ...ring)).toMatch(/cycle: in, out/);
      }),
    );
  });

  it('names what is wrong', () => {
    expect(problemOf(node('a'), node('a'))).toBe('Job key "a" is not unique');
    expect(problemOf(node('a', 'b'))).toBe('Job "a" depends on unknown job key "b"');
    expect(problemOf(node('a', 'a'))).toContain('cycle: a');
  });
});
