import {
  type CredentialChange,
  type Database,
  deleteContracts,
  insertContract,
  listCurrentContracts,
} from '@spooled/data-access';
import { createTenant, ManualClock, useDatabase, useConnections } from '@spooled/testing';
import type { RedisCredentialCache } from '@spooled/transport';
import { OrganizationCache, type SettingChanges } from '../auth/organization-cache.js';

const stores = useDatabase();
const database = useConnections(stores, { maxConnections: 2 });
let org: string;
beforeEach(async () => void (org = (await createTenant(stores.superuserUrl)).organizationId));

/** A feed whose changes and state the spec decides. */
class Feed {
  isCurrentNow = true;
  private listener: (change: CredentialChange | 'everything') => void = () => undefined;

  onChange(listener: (change: CredentialChange | 'everything') => void): () => void {
    this.listener = listener;
    return () => undefined;
  }

  isCurrent(): boolean {
    return this.isCurrentNow;
  }

  tell(organizationId: string, kind: CredentialChange['kind'] = 'settings'): void {
    this.listener({ kind, organizationId, subject: 'queue:orders', xid: 1, changedAt: 1 });
  }

  tellMissed(): void {
    this.listener('everything');
  }
}

type Notify = Parameters<RedisCredentialCache['onInvalidate']>[0];

const open = (of: Database, changes: SettingChanges | null, clock?: ManualClock) =>
  new OrganizationCache(of, changes, listCurrentContracts, clock);

/** A process that has read of no contract, and the contract that there is since. */
async function outdated() {
  const feed = new Feed();
  let notify: Notify = () => undefined;
  const notices = { onInvalidate: (listener: Notify) => ((notify = listener), () => true) };
  const contracts = open(database, { feed, notices });
  expect(await queues(contracts)).toEqual([]);
  await agree();
  return { contracts, feed, notify };
}
type Told = Omit<Awaited<ReturnType<typeof outdated>>, 'contracts'>;

const contract = { mode: 'reject', compatibility: 'none', schema: '{}', createdBy: null } as const;
const agree = () => database.withTenant(org, (tx) => insertContract(tx, 'orders', 1, contract));
const queues = async (contracts: ReturnType<typeof open>) => [...(await contracts.of(org)).keys()];

describe('BX-09 which queues have a payload contract', () => {
  it('is read once, and again after a change of the organization', async () => {
    const feed = new Feed();
    const contracts = open(database, { feed, notices: null });
    expect(await queues(contracts)).toEqual([]);
    await agree();
    feed.tell('another organization');
    expect(await queues(contracts)).toEqual([]);
    feed.tell(org);
    expect(await queues(contracts)).toEqual(['orders']);
    await database.withTenant(org, async (tx) => (await tx.run(deleteContracts, { queueName: 'orders' })).length > 0);
    contracts.forget(org);
    expect(await queues(contracts)).toEqual([]);
  });

  it('is read each time while changes cannot be read', async () => {
    const feed = new Feed();
    const contracts = open(database, { feed, notices: null });
    expect(await queues(contracts)).toEqual([]);
    await agree();
    feed.isCurrentNow = false;
    expect(await queues(contracts)).toEqual(['orders']);
  });

  it.each<[string, (told: Told) => void]>([
    ['changes may have been missed', ({ feed }) => feed.tellMissed()],
    ['notices may have been missed', ({ notify }) => notify({ kind: 'everything' })],
    ['a queue changes', ({ notify }) => notify({ kind: 'queue', organizationId: org, queueName: 'orders' })],
  ])('is read again when %s', async (_, tell) => {
    const { contracts, ...told } = await outdated();
    tell(told);
    expect(await queues(contracts)).toEqual(['orders']);
  });

  it.each<[string, (told: Told) => void]>([
    [
      'a queue of another organization',
      ({ notify }) => notify({ kind: 'queue', organizationId: 'a', queueName: 'orders' }),
    ],
    ['a session', ({ notify }) => notify({ kind: 'session', organizationId: org, sessionId: 'a' })],
    ['a key', ({ feed }) => feed.tell(org, 'api_key')],
  ])('is not read again for %s', async (_, tell) => {
    const { contracts, ...told } = await outdated();
    tell(told);
    expect(await queues(contracts)).toEqual([]);
  });

  it('is read after a second by a process that is told of no changes', async () => {
    const clock = new ManualClock();
    const contracts = open(database, null, clock);
    expect(await queues(contracts)).toEqual([]);
    await agree();
    await clock.advance(999);
    expect(await queues(contracts)).toEqual([]);
    await clock.advance(2);
    expect(await queues(contracts)).toEqual(['orders']);
  });

  it('is read again after a failure', async () => {
    await agree();
    const failing = { ...database, withTenant: () => Promise.reject(new Error('away')) } as unknown as Database;
    const unlucky = open(failing, { feed: new Feed(), notices: null });
    await expect(unlucky.of(org)).rejects.toThrow('away');
    await expect(unlucky.of(org)).rejects.toThrow('away');
    await database.withTenant(org, async (tx) => expect([...(await unlucky.of(org, tx)).keys()]).toEqual(['orders']));
    expect(await queues(unlucky)).toEqual(['orders']);
  });
});
