import { AccessDeniedError, NotFoundError, type Spooled } from '@spooled/sdk';
import { makePlan } from './plan.js';

const nightly = { id: 's1', name: 'nightly', queueName: 'reports', cronExpression: '0 2 * * *' };

/** A server with a schedule that no file has. */
const serverWith = (failure: Error) =>
  ({
    schedules: {
      list: () => Promise.resolve(Object.assign([nightly], { hasMore: false, nextCursor: null })),
      delete: () => Promise.reject(failure),
    },
  }) as unknown as Spooled;

describe('BX-17 what a plan deletes', () => {
  const pruned = async (failure: Error) => {
    const manifest = { wanted: [], sections: new Set(['schedule' as const]) };
    const { changes } = await makePlan(serverWith(failure), manifest, { prune: true, secrets: false, call: {} });
    expect(changes).toMatchObject([{ action: 'delete', name: 'nightly' }]);
    return changes[0]!.run();
  };

  it('may be gone already', async () => {
    expect(await pruned(new NotFoundError('Schedule not found', 404, 'NOT_FOUND'))).toEqual({});
  });

  it('is refused as the server refuses it', async () => {
    const refused = new AccessDeniedError('not with this key', 403, 'ACCESS_DENIED');
    await expect(pruned(refused)).rejects.toBe(refused);
  });
});
