import { drawWorkflow, type WorkflowNode } from './workflow-drawing.js';

const node = (key: string, ...dependsOn: string[]): WorkflowNode => ({
  id: `id-${key}`,
  key,
  status: 'pending',
  dependsOn,
});
const draw = (jobs: WorkflowNode[]) => drawWorkflow(jobs, (text) => text);

describe('a workflow as text', () => {
  it('has each job once, below the first that it waits for, by key or id', () => {
    const jobs = [node('load'), node('check', 'load'), node('count', 'id-load'), node('send', 'check', 'id-count')];
    expect(draw(jobs)).toEqual([
      'load  pending',
      '├─ check  pending',
      '│  └─ send  pending  (also after count)',
      '└─ count  pending',
    ]);
  });

  it('may be a long chain, and shows no control characters', () => {
    const chain = Array.from({ length: 5_000 }, (_, n) => (n === 0 ? node('0') : node(`${n}`, `${n - 1}`)));
    expect(draw(chain)).toHaveLength(5_000);
    expect(draw([node('a\u001b[2J')])).toEqual(['a\\u001b[2J  pending']);
  });
});
