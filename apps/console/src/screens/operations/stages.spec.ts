import type { Operation } from '@spooled/sdk/browser';
import { stagesOf } from './stages';

const states = (part: Partial<Operation>, total: number | null = 100): string[] =>
  stagesOf({ options: { stages: [1, 10] }, processed: 0, waiting: 0, endedAt: null, total, ...part } as Operation).map(
    ({ size, state }) => `${size ?? 'rest'} ${state}`,
  );

it.each([
  [{ processed: 0 }, ['1 current', '10 waiting', 'rest waiting']],
  [{ processed: 1, waiting: 1 }, ['1 current', '10 waiting', 'rest waiting']],
  [{ processed: 1, waiting: 0 }, ['1 done', '10 current', 'rest waiting']],
  [{ processed: 5, waiting: 2 }, ['1 done', '10 current', 'rest waiting']],
  [{ processed: 60, waiting: 9 }, ['1 done', '10 done', 'rest current']],
  [{ processed: 100, waiting: 0 }, ['1 done', '10 done', 'rest done']],
  [{ processed: 1, waiting: 0, endedAt: '2026-01-01T00:00:00Z' }, ['1 done', '10 waiting', 'rest waiting']],
])('%j is in the stages %j', (part, expected) => expect(states(part)).toEqual(expected));

it('leaves out stages that have no jobs', () => {
  expect(states({ processed: 1, waiting: 0 }, 4)).toEqual(['1 done', '10 current']);
  expect(states({ processed: 0 }, null)).toEqual(['1 current', '10 waiting', 'rest waiting']);
});
