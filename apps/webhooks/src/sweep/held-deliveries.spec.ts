import {
  changeWebhook,
  type Database,
  findDelivery,
  findOverdueDeliveries,
  findWebhook,
  firstOrganization,
  retryDelivery,
} from '@spooled/data-access';
import { holdAfterFailures } from '@spooled/domain';
import { moveClock, openConnections, type Receiver } from '@spooled/testing';
import { useDeliverer } from '../deliver/deliverer.fixture.js';
import type { Tenant } from '../deliver/tenant.fixture.js';
import pg from 'pg';
import { HeldDeliveries } from './held-deliveries.js';

const fixture = useDeliverer();
let receiver: Receiver;
let tenant: Tenant;
let webhookId: string;
beforeEach(async () => {
  ({ receiver, tenant } = fixture);
  webhookId = await tenant.webhook(receiver.url());
  receiver.respond = (_call, response) => response.writeHead(500).end();
});

const held = (max = 100, db = fixture.db) =>
  new HeldDeliveries(db, fixture.dispatcher, fixture.metrics, fixture.logger, { max });

const stateOf = () =>
  fixture.db.withTenant(tenant.organizationId, async (tx) => (await tx.first(findWebhook, { id: webhookId }))!);

/** Lets the time come and makes what is due. @returns the ids that were dispatched */
async function after(time: string, { max }: { max?: number } = {}): Promise<string[]> {
  await moveClock(fixture.store, time);
  fixture.dispatched.length = 0;
  await held(max).advance();
  return ownOf(fixture.dispatched);
}

/** The ids that are of the organization of this test: others have held deliveries as well. */
const ownOf = async (ids: string[]) => {
  const own = await tenant.query<{ id: string }>('SELECT id FROM webhook_deliveries WHERE id = ANY ($1)', [ids]);
  return own.map(({ id }) => id);
};

const deliver = (id: string) => fixture.deliverer().deliver({ id, organizationId: tenant.organizationId });

/** Deliveries whose fifth attempt is due. */
async function failing(number: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < number; made++) ids.push((await tenant.delivery({ webhookId })).id);
  await tenant.query('UPDATE webhook_deliveries SET attempts = 4 WHERE id = ANY ($1)', [ids]);
  return ids;
}

/** Lets so many deliveries fail that the webhook is held. @returns a further delivery, which is held */
async function hold(): Promise<string> {
  for (const id of await failing(holdAfterFailures)) await deliver(id);
  const { id } = await tenant.delivery({ webhookId });
  await deliver(id);
  return id;
}

const heldIds = async () =>
  (
    await tenant.query<{ id: string }>(
      `SELECT id FROM webhook_deliveries WHERE webhook_id = $1 AND next_attempt_at = 'infinity' ORDER BY created_at, id`,
      [webhookId],
    )
  ).map(({ id }) => id);

/** Lets the next probe be due so many seconds after something that `begin` does. The clock that is moved goes on meanwhile. */
async function sets<T>(wait: number, begin: () => Promise<T>): Promise<T> {
  const times = async () =>
    (
      await tenant.query<{ now: string; probe: string }>(
        'SELECT current_ts() AS now, probe_at AS probe FROM outgoing_webhooks WHERE id = $1',
        [webhookId],
      )
    )[0]!;
  const before = await times();
  const value = await begin();
  const { now, probe: next } = await times();
  expect(Date.parse(next) - Date.parse(before.now)).toBeGreaterThanOrEqual(wait * 1_000);
  expect(Date.parse(next) - Date.parse(now)).toBeLessThanOrEqual(wait * 1_000);
  return value;
}

/** As `after`, at a probe, after which the next one waits so many seconds. */
async function probe(time: string, wait: number): Promise<string[]> {
  await moveClock(fixture.store, time);
  return sets(wait, () => after('0 s'));
}

describe('BX-37 the deliveries of a webhook whose receiver fails', () => {
  /** While another transaction holds the deliveries of a webhook, as a retry by hand does. */
  async function whileLocked(webhook: string, work: (db: Database) => Promise<unknown>): Promise<void> {
    const holder = new pg.Client({ connectionString: fixture.store.superuserUrl });
    // Waits for locks only are short: other statements may take long on a busy machine.
    const appUrl = new URL(fixture.store.appUrl);
    appUrl.searchParams.set('options', '-c lock_timeout=500');
    const db = openConnections({ ...fixture.store, appUrl: appUrl.href });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM webhook_deliveries WHERE webhook_id = $1 FOR UPDATE', [webhook]);
      await moveClock(fixture.store, '1 minute');
      fixture.dispatched.length = 0;
      await work(db);
    } finally {
      await holder.end();
      await db.close();
    }
  }
  const holdOneMore = async () => {
    const { id } = await tenant.delivery({ webhookId });
    await deliver(id);
    return id;
  };

  it('BX-03 are dropped and probed although those of another webhook are locked', async () => {
    await hold();
    const ids = new Map([[webhookId, await holdOneMore()]]);
    webhookId = await tenant.webhook(receiver.url());
    await hold();
    ids.set(webhookId, await holdOneMore());
    const [first, second] = [...ids.keys()].sort() as [string, string];
    await whileLocked(first, (db) => expect(held(1, db).advance()).rejects.toMatchObject({ status: 503 }));
    expect(await ownOf(fixture.dispatched)).toEqual([ids.get(second)]);
    await held().advance();
    expect(await ownOf(fixture.dispatched)).toHaveLength(2);
  });

  it('BX-03 are probed later if another transaction holds the next one, which may wait for the webhook', async () => {
    const id = await hold();
    await whileLocked(webhookId, (db) => held(100, db).advance());
    expect(await ownOf(fixture.dispatched)).toEqual([]);
    await held().advance();
    expect(await ownOf(fixture.dispatched)).toEqual([id]);
  });

  it('are held after ten that have failed in a row, and cost no further attempts', async () => {
    const ids = await failing(holdAfterFailures);
    for (const id of ids.slice(1)) await deliver(id);
    expect(await stateOf()).toMatchObject({ failure_count: 9, held_since: null });
    await deliver(ids[0]!);
    expect(await stateOf()).toMatchObject({ failure_count: 10, held_since: expect.any(String) });

    const { id } = await tenant.delivery({ webhookId });
    expect(await deliver(id)).toBeNull();
    expect(receiver.calls).toHaveLength(holdAfterFailures);
    expect(await tenant.row(id)).toMatchObject({ status: 'pending', attempts: 0 });
    const shown = await fixture.db.withTenant(tenant.organizationId, (tx) =>
      tx.first(findDelivery, { webhookId, deliveryId: id }),
    );
    expect(shown).toMatchObject({ held: true, next_attempt_at: null });
    // The sweep finds none of them, however long they wait.
    await tenant.query('UPDATE webhook_deliveries SET next_attempt_at = NULL WHERE id = ANY ($1)', [ids]);
    await moveClock(fixture.store, '10 days');
    const page = { bySeconds: 0, organizations: 100, limit: 1_000, after: firstOrganization };
    const { deliveries } = await fixture.db.asSystem('spec', (tx) => findOverdueDeliveries(tx, page));
    expect(deliveries.filter(({ organizationId }) => organizationId === tenant.organizationId)).toEqual([]);
  });

  it('are held when they are written, and not handed over', async () => {
    const first = await hold();
    const [row] = await tenant.query<{ recorded: unknown }>(
      `SELECT record_deliveries_v1($1, 'job.completed', '{null}', ARRAY['{}'::json]) AS recorded`,
      [tenant.organizationId],
    );
    expect(row!.recorded).toEqual([]);
    expect(await heldIds()).toEqual([first, expect.any(String)]);
  });

  it('are not held for one that fails while others arrive', async () => {
    const ids = await failing(holdAfterFailures);
    for (const id of ids.slice(1)) await deliver(id);
    receiver.respond = (_call, response) => response.end();
    await deliver((await tenant.delivery({ webhookId })).id);
    receiver.respond = (_call, response) => response.writeHead(500).end();
    await deliver(ids[0]!);
    expect(await stateOf()).toMatchObject({ failure_count: 1, held_since: null });
  });

  it('are probed one at a time at growing waits, those with the fewest attempts first', async () => {
    const first = await sets(10, hold);
    const { id: second } = await tenant.delivery({ webhookId });
    await deliver(second);
    expect(await after('0 s')).toEqual([]);
    expect(await probe('10 s', 20)).toEqual([second]);
    await deliver(second);
    expect(await tenant.row(second)).toMatchObject({ status: 'pending', attempts: 1 });
    expect(await heldIds()).toEqual([first, second]);
    expect(await after('0 s')).toEqual([]);
    expect(await probe('20 s', 40)).toEqual([first]);
    await deliver(first);
    expect(await after('0 s')).toEqual([]);
    await deliver((await probe('40 s', 60))[0]!);
    for (let probes = 0; probes < 3; probes++) {
      expect(await after('0 s')).toEqual([]);
      await deliver((await probe('60 s', 60))[0]!);
    }
    expect(await stateOf()).toMatchObject({ failure_count: holdAfterFailures, enabled: true });
  });

  it('are held on, however often one of them was the probe and however old it is', async () => {
    const id = await hold();
    await tenant.query('UPDATE webhook_deliveries SET attempts = 49 WHERE id = $1', [id]);
    for (const time of ['10 s', '4 days']) {
      expect(await after(time)).toEqual([id]);
      await deliver(id);
      expect(await heldIds()).toEqual([id]);
    }
    receiver.respond = (_call, response) => response.end();
    await deliver((await after('1 minute'))[0]!);
    expect(await tenant.row(id)).toMatchObject({ status: 'success', attempts: 52 });
  });

  it('are all sent once a probe has succeeded', async () => {
    const first = await hold();
    const { id: second } = await tenant.delivery({ webhookId });
    await deliver(second);
    receiver.respond = (_call, response) => response.end();
    const calls = receiver.calls.length;
    expect(await after('10 s')).toEqual([second]);
    await deliver(second);
    expect(await stateOf()).toMatchObject({ held_since: null, failing_since: null, failure_count: 0 });
    expect(await after('0 s')).toEqual([first]);
    await deliver(first);
    expect(receiver.calls).toHaveLength(calls + 2);
    for (const id of [first, second]) expect(await tenant.row(id)).toMatchObject({ status: 'success', attempts: 1 });
    expect(await heldIds()).toEqual([]);
  });

  it('are released when they were written while the others were', async () => {
    const id = await hold();
    await tenant.query('UPDATE outgoing_webhooks SET held_since = NULL WHERE id = $1', [webhookId]);
    expect(await after('0 s')).toEqual([id]);
  });

  it('are probed by one process only, and again if it is lost', async () => {
    const id = await hold();
    await moveClock(fixture.store, '10 s');
    await Promise.all([held().advance(), held().advance(), held().advance()]);
    expect(await ownOf(fixture.dispatched)).toEqual([id]);
    expect(fixture.dispatched.filter((one) => one === id)).toHaveLength(1);
    // The probe is due, and nobody sends it.
    const { id: other } = await tenant.delivery({ webhookId });
    await deliver(other);
    expect(await after('20 s')).toEqual([other]);
  });

  it('are dropped beyond the limit, the oldest first, and say so', async () => {
    const ids = [await hold()];
    for (let more = 0; more < 4; more++) {
      const { id } = await tenant.delivery({ webhookId });
      await deliver(id);
      ids.push(id);
    }
    const [, , ...kept] = ids;
    await after('10 s', { max: 3 });
    expect(await stateOf()).toMatchObject({ dropped_count: 2, dropped_at: expect.any(String) });
    for (const id of ids.slice(0, 2)) {
      expect(await tenant.row(id)).toMatchObject({
        status: 'failed',
        next_attempt_at: null,
        error: 'Dropped: more than 3 deliveries waited for the receiver',
      });
    }
    for (const id of kept) expect(await tenant.row(id)).toMatchObject({ status: 'pending' });
    await after('20 s', { max: 3 });
    expect(await stateOf()).toMatchObject({ dropped_count: 2 });
  });

  it('end when a probe fails after days and disables the webhook', async () => {
    const id = await hold();
    await after('6 days');
    await deliver(id);
    expect(await stateOf()).toMatchObject({ enabled: false, last_status: 'auto_disabled', held_since: null });
    expect(await after('0 s')).toEqual([id]);
    await deliver(id);
    expect(await tenant.row(id)).toMatchObject({ status: 'failed', error: 'The webhook is disabled' });
  });
});

describe('BX-37 a held webhook', () => {
  const change = (changes: object) =>
    fixture.db.withTenant(tenant.organizationId, (tx) => changeWebhook(tx, webhookId, changes));

  it('is probed at once when it is changed, and released when it is disabled', async () => {
    const id = await hold();
    await change({ url: receiver.url('/other') });
    expect(await after('0 s')).toEqual([id]);
    await deliver(id);
    expect(receiver.calls.at(-1)).toMatchObject({ path: '/other' });
    await change({ enabled: false });
    expect(await stateOf()).toMatchObject({ enabled: false, held_since: null, next_probe_at: null });
    expect(await after('0 s')).toEqual([id]);
  });

  it('sends a delivery that is retried by hand', async () => {
    const id = await hold();
    const ids = { webhookId, deliveryId: id, maxAttempts: 10, maxRetries: 5 };
    const retried = await fixture.db.withTenant(tenant.organizationId, (tx) => tx.one(retryDelivery, ids));
    expect(retried).toMatchObject({ retried: true });
    const calls = receiver.calls.length;
    await deliver(id);
    expect(receiver.calls).toHaveLength(calls + 1);
    expect(await heldIds()).toEqual([id]);
  });
});
