import type { JobOutcome } from './job.js';
import { rerunFrom, type RerunStep } from './workflow-rerun.js';

type State = JobOutcome | 'ready' | 'blocked';
type Plan = Record<string, { state?: State; on?: string[]; any?: boolean }>;

const outcomeOf = (state: State = 'completed') => (state === 'ready' || state === 'blocked' ? null : state);

/** Steps whose ids are their keys in upper case; a parent that is not in the plan is of another workflow, and has completed. */
function stepsOf(plan: Plan): RerunStep[] {
  return Object.entries(plan).map(([key, { state, on = [], any = false }]) => ({
    id: key.toUpperCase(),
    key,
    outcome: outcomeOf(state),
    isBlocked: state === 'blocked',
    mode: any ? 'any' : 'all',
    parents: on.map((parent) => ({
      id: parent.toUpperCase(),
      key: parent,
      outcome: outcomeOf(plan[parent]?.state),
    })),
  }));
}

function again(plan: Plan, from: string): string {
  const steps = stepsOf(plan);
  const result = rerunFrom(
    steps,
    steps.find(({ key }) => key === from)!,
  );
  return 'problem' in result ? result.problem : result.ids.join(' ');
}

describe('SP-49 what runs again from a job of a workflow', () => {
  it.each<[string, Plan, string, string]>([
    ['the job and all that depend on it', { a: {}, b: { on: ['a'] }, c: { on: ['b'] }, d: { on: ['a'] } }, 'b', 'B C'],
    [
      'also through two ways, once',
      { a: {}, b: { on: ['a'] }, c: { on: ['a'] }, d: { on: ['b', 'c'] } },
      'a',
      'A B C D',
    ],
    ['also what was cancelled', { a: { state: 'deadletter' }, b: { on: ['a'], state: 'cancelled' } }, 'a', 'A B'],
    [
      'not what could not run',
      { a: {}, b: { state: 'deadletter' }, c: { on: ['a', 'b'], state: 'cancelled' } },
      'a',
      'A',
    ],
    [
      'nor what could not run without that',
      {
        a: {},
        b: { state: 'failed' },
        c: { on: ['a', 'b'], state: 'cancelled' },
        d: { on: ['c'], state: 'cancelled' },
      },
      'a',
      'A',
    ],
    ['what one of several allows', { a: {}, b: { state: 'deadletter' }, c: { on: ['a', 'b'], any: true } }, 'a', 'A C'],
    ['not what still waits', { a: {}, b: { state: 'ready' }, c: { on: ['a', 'b'], state: 'blocked' } }, 'a', 'A'],
    ['after a parent of another workflow', { a: { on: ['other'] } }, 'a', 'A'],
  ])('%s', (_what, plan, from, expected) => expect(again(plan, from)).toBe(expected));

  it.each<[string, Plan, string, string]>([
    ['a job in progress', { a: { state: 'ready' } }, 'a', 'Job "a" is still in progress'],
    [
      'a job that waits',
      { a: { state: 'blocked', on: ['b'] }, b: { state: 'ready' } },
      'a',
      'Job "a" is still in progress',
    ],
    [
      'a job of which a dependent is in progress',
      { a: {}, b: { on: ['a'] }, c: { on: ['b'], state: 'ready' } },
      'a',
      'Job "c" depends on "a" and is still in progress',
    ],
    [
      'a job whose parent failed',
      { a: { state: 'deadletter' }, b: { on: ['a'], state: 'cancelled' } },
      'b',
      'Job "b" waits for "a", which has not completed: retry from there',
    ],
    [
      'a job of whose parents none can complete',
      { a: { state: 'failed' }, b: { state: 'cancelled' }, c: { on: ['a', 'b'], any: true, state: 'cancelled' } },
      'c',
      'Job "c" waits for "a", "b", which has not completed: retry from there',
    ],
  ])('refuses %s', (_what, plan, from, problem) => expect(again(plan, from)).toBe(problem));
});
