import fc from 'fast-check';
import { useEngine } from '../testing/job-lifecycle.fixture.js';
import { TestWorkflow, type Plan } from '../testing/workflow-steps.fixture.js';

interface Step {
  parents: number[];
  any: boolean;
  fails: boolean;
}

/** An acyclic graph (step i depends only on earlier steps) and the outcome of each step that runs. */
const steps = fc.array(
  fc.record({ parents: fc.uniqueArray(fc.nat(11), { maxLength: 3 }), any: fc.boolean(), fails: fc.boolean() }),
  { minLength: 1, maxLength: 12 },
);

const parentsOf = ({ parents }: Step, i: number): number[] =>
  i === 0 ? [] : [...new Set(parents.map((parent) => parent % i))];

const planOf = (all: Step[]): Plan =>
  Object.fromEntries(
    all.map((step, i) => [`s${i}`, { on: parentsOf(step, i).map((parent) => `s${parent}`), any: step.any }]),
  );

/** The status that each step must end with. */
function expected(all: Step[]): Record<string, string> {
  const outcomes: string[] = [];
  all.forEach((step, i) => {
    const parents = parentsOf(step, i).map((parent) => outcomes[parent] === 'completed');
    const runs = parents.length === 0 || (step.any ? parents.some(Boolean) : parents.every(Boolean));
    outcomes.push(runs ? (step.fails ? 'deadletter' : 'completed') : 'cancelled');
  });
  return Object.fromEntries(outcomes.map((outcome, i) => [`s${i}`, outcome]));
}

describe('any workflow', () => {
  const fixture = useEngine();

  /** Claims and ends steps until none is claimable; the steps of a round end concurrently, each in its own transaction. */
  async function run(flow: TestWorkflow, fails: (key: string) => boolean): Promise<void> {
    for (;;) {
      const { keys } = await flow.claim();
      if (keys.length === 0) return;
      await Promise.all(keys.map((key) => (fails(key) ? flow.fail(key) : flow.complete(key))));
    }
  }

  it('SP-49 SP-50 ends with the expected status of each job and of the workflow, and completes after a retry', async () => {
    const check = async (all: Step[]) => {
      const flow = await TestWorkflow.create(fixture, await fixture.organization(), planOf(all));
      await run(flow, (key) => all[Number(key.slice(1))]!.fails);
      const outcomes = expected(all);
      expect(await flow.statuses()).toEqual(outcomes);
      const count = (outcome: string) => Object.values(outcomes).filter((other) => other === outcome).length;
      const allCompleted = count('completed') === all.length;
      expect(await flow.row()).toMatchObject({
        status: allCompleted ? 'completed' : 'failed',
        completed_jobs: count('completed'),
        failed_jobs: count('deadletter'),
      });
      if (allCompleted) return;
      await flow.retry();
      await run(flow, () => false);
      expect(await flow.row()).toMatchObject({ status: 'completed', completed_jobs: all.length, failed_jobs: 0 });
    };
    await fc.assert(fc.asyncProperty(steps, check), { numRuns: 20 });
    expect(fixture.errors).toEqual([]);
  });

  it('SP-49 two failures that reach the same jobs in different order do not deadlock', async () => {
    // By levels, a reaches p before q and b reaches q before p.
    const crossing = { a: {}, b: {}, m: { on: ['a'] }, n: { on: ['b'] }, p: { on: ['a', 'n'] }, q: { on: ['b', 'm'] } };
    const org = await fixture.organization();
    for (let round = 0; round < 15; round++) {
      const flow = await TestWorkflow.create(fixture, org, crossing);
      await flow.claim();
      await Promise.all([flow.fail('a'), flow.fail('b')]);
      expect(await flow.status()).toBe('failed');
    }
    expect(fixture.errors).toEqual([]);
  });
});
