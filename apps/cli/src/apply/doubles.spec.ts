import type { Spooled } from '@spooled/sdk';
import { removeDoubles } from './doubles.js';

describe('BX-17 of two schedules with one name', () => {
  const schedule = (id: string, createdAt: string, cronExpression = '0 2 * * *') => ({
    id,
    name: 'nightly',
    queueName: 'reports',
    cronExpression,
    createdAt,
  });
  type Schedule = ReturnType<typeof schedule>;

  /** @returns what is left, and what is told */
  async function applied(own: Schedule, ...others: Schedule[]) {
    const left = [own, ...others];
    const schedules = {
      list: () => Promise.resolve(Object.assign([...left], { hasMore: false, nextCursor: null })),
      delete: (id: string) =>
        Promise.resolve(
          void left.splice(
            left.findIndex((each) => each.id === id),
            1,
          ),
        ),
    };
    const created = [{ kind: 'schedule' as const, name: own.name, id: own.id }];
    const told = await removeDoubles({ schedules } as unknown as Spooled, created, {});
    return { left: left.map(({ id }) => id), deleted: told.map(({ isDeleted }) => isDeleted) };
  }

  it.each([
    ['ours goes when another is older', schedule('other', '2026-01-01T00:00:00Z'), ['other'], [true]],
    ['ours goes when an older one differs', schedule('other', '2026-01-01T00:00:00Z', '* * * * *'), ['other'], [true]],
    ['a newer one of the same file goes', schedule('other', '2026-01-03T00:00:00Z'), ['own'], [true]],
    [
      'a newer one that differs stays',
      schedule('other', '2026-01-03T00:00:00Z', '* * * * *'),
      ['own', 'other'],
      [false],
    ],
  ])('%s', async (_what, other, left, deleted) => {
    expect(await applied(schedule('own', '2026-01-02T00:00:00Z'), other)).toEqual({ left, deleted });
  });
});
