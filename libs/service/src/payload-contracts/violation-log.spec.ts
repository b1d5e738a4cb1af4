import { type Database, findContract, insertContract, listCurrentContracts } from '@spooled/data-access';
import { createTenant, eventually, ManualClock, openConnections, useDatabase, useForAll } from '@spooled/testing';
import { ViolationLog } from './violation-log.js';

const stores = useDatabase();
const opened = useForAll(
  () => Promise.resolve({ database: openConnections(stores, { maxConnections: 2 }) }),
  ({ database }) => database.close(),
);

describe('BX-09 violations of a contract', () => {
  let database: Database;
  let org: string;
  let id: string;
  let clock: ManualClock;
  let log: ViolationLog;
  const errors: string[] = [];

  beforeEach(async () => {
    ({ database } = opened);
    org = (await createTenant(stores.superuserUrl)).organizationId;
    const contract = { mode: 'warn', compatibility: 'none', schema: '{}', createdBy: null } as const;
    id = await database.withTenant(org, async (tx) => {
      await insertContract(tx, 'orders', 1, contract);
      return (await listCurrentContracts(tx)).get('orders')!.id;
    });
    clock = new ManualClock();
    log = new ViolationLog(database, { error: (_fields, what) => void errors.push(what) }, clock);
  });
  afterEach(() => expect(errors.splice(0)).toEqual([]));

  const record = (...paths: string[]) => {
    for (const path of paths) log.record(org, id, { path, reason: 'is required' });
  };
  const stored = async () => {
    const { violations, violation_samples: samples } = (await database.withTenant(org, (tx) =>
      findContract(tx, 'orders', null),
    ))!;
    return { count: violations, paths: samples.map(({ path }) => path) };
  };

  it('are written soon after the first of them, then together, with the newest five', async () => {
    record('a', 'b');
    await clock.advance(250);
    await eventually(async () => expect(await stored()).toEqual({ count: 2, paths: ['b', 'a'] }));
    record(...Array.from({ length: 100 }, (_, i) => `c${i}`));
    await clock.advance(9_000);
    record('d');
    expect((await stored()).count).toBe(2);
    await clock.advance(1_000);
    await eventually(async () =>
      expect(await stored()).toEqual({ count: 103, paths: ['d', 'c99', 'c98', 'c97', 'c96'] }),
    );
    record('e');
    await clock.advance(10_000);
    await eventually(async () =>
      expect(await stored()).toEqual({ count: 104, paths: ['e', 'd', 'c99', 'c98', 'c97'] }),
    );
  });

  it('are written whatever the names of members are', async () => {
    record('payload.\u0000\ud83d', 'b');
    await log.stop();
    expect(await stored()).toEqual({ count: 2, paths: ['b', 'payload. \ufffd'] });
  });

  it('that are pending are written when the process stops', async () => {
    record('a');
    await log.stop();
    expect(await stored()).toEqual({ count: 1, paths: ['a'] });
  });

  it('are dropped while PostgreSQL cannot be reached, and the log says so', async () => {
    const away = { withTenant: () => Promise.reject(new Error('away')) } as unknown as Database;
    log = new ViolationLog(away, { error: (_fields, what) => void errors.push(what) }, clock);
    record('a');
    await log.stop();
    expect(errors.splice(0)).toEqual(['violations of a payload contract were not recorded']);
  });
});
