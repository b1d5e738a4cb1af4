import type { Step } from './queries';
import { rerunFrom } from './rerun';

type Plan = Record<string, { status?: Step['status']; on?: string[]; any?: boolean }>;

function again(plan: Plan, from: string): string {
  const jobs = Object.entries(plan).map(
    ([key, { status = 'completed', any }]) =>
      ({ id: key, key, status, dependencyMode: any ? 'any' : 'all' }) as Partial<Step> as Step,
  );
  const dependencies = Object.entries(plan).flatMap(([childJobId, { on = [] }]) =>
    on.map((parentJobId) => ({ parentJobId, childJobId, dependencyType: 'success' as const })),
  );
  const { steps, problem } = rerunFrom(
    { jobs, dependencies },
    jobs.find(({ key }) => key === from)!,
  );
  return problem ?? steps.map(({ key }) => key).join(' ');
}

const dead = { status: 'deadletter' } as const;
const cancelled = { status: 'cancelled' } as const;

it.each<[string, Plan, string, string]>([
  ['the job and its dependents', { a: {}, b: { on: ['a'] }, c: { on: ['b'] }, d: { on: ['a'] } }, 'b', 'b c'],
  ['not what a failed job blocks', { a: {}, b: dead, c: { on: ['a', 'b'], ...cancelled } }, 'a', 'a'],
  ['what any of several allows', { a: {}, b: dead, c: { on: ['a', 'b'], any: true } }, 'a', 'a c'],
  ['not what still waits', { a: dead, b: { on: ['a'], status: 'pending' } }, 'a', 'a'],
  ['nothing of a job in progress', { a: { status: 'processing' } }, 'a', 'it is still in progress'],
  [
    'nothing after a failed job',
    { a: dead, b: { on: ['a'], ...cancelled } },
    'b',
    'it waits for a, which has not completed',
  ],
  [
    'nothing while a dependent runs',
    { a: {}, b: { on: ['a'], status: 'processing' } },
    'a',
    'b depends on it and is still in progress',
  ],
])('a retry from a job runs %s', (_what, plan, from, expected) => expect(again(plan, from)).toBe(expected));
