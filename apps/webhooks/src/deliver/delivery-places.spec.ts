import { eventually, ManualClock, type Receiver } from '@spooled/testing';
import { useDeliverer } from './deliverer.fixture.js';
import type { Deliverer } from './deliverer.service.js';
import { Tenant } from './tenant.fixture.js';

const fixture = useDeliverer();
const { deliverer, dispatched } = fixture;
let receiver: Receiver;
let tenant: Tenant;
beforeEach(() => {
  ({ receiver, tenant } = fixture);
});

describe('places for attempts', () => {
  it('KF-13 one organization gets at most half of the concurrent attempts', async () => {
    const webhookId = await tenant.webhook(receiver.url());
    const deliveries = await Promise.all(Array.from({ length: 7 }, () => tenant.delivery({ webhookId })));
    const other = await Tenant.create(fixture.db);
    const ofOther = await other.delivery({ webhookId: await other.webhook(receiver.url('/other')) });
    const open: (() => void)[] = [];
    receiver.respond = (call, response) => (call.path === '/other' ? response.end() : open.push(() => response.end()));

    // Of 8 places; a share of 2 would not show what of its own use counts.
    const sender = deliverer({ maxConcurrent: 8 });
    const attempts = deliveries.map((delivery) => sender.deliver(delivery));
    await receiver.received(4);
    expect(await Promise.all(attempts.slice(4))).toEqual([null, null, null]);
    expect(await sender.deliver(ofOther)).toBeNull();
    expect(receiver.calls).toHaveLength(5);
    receiver.respond = (_call, response) => response.end();
    for (const end of open) end();
    expect(await Promise.all(attempts.slice(0, 4))).toEqual([null, null, null, null]);
    // The others have waited for a place.
    await eventually(async () => {
      for (const { id } of deliveries) expect(await tenant.row(id)).toMatchObject({ status: 'success', attempts: 1 });
    });
    expect(dispatched).toEqual([]);
  });

  it('KF-13 a delivery that has waited for a place is dispatched for its next attempt', async () => {
    const webhookId = await tenant.webhook(receiver.url());
    const [first, second] = [await tenant.delivery({ webhookId }), await tenant.delivery({ webhookId })];
    let answer: () => void = () => undefined;
    receiver.respond = (_call, response) => void (answer = () => response.writeHead(500).end());
    const sender = deliverer({ maxConcurrent: 1 });
    const slow = sender.deliver(first);
    await receiver.received(1);
    await sender.deliver(second);
    receiver.respond = (_call, response) => response.writeHead(500).end();
    answer();
    await slow;
    await eventually(() => expect(dispatched).toEqual([second.id]));
    expect(await tenant.row(second.id)).toMatchObject({ status: 'pending', attempts: 1 });
  });

  it('KF-13 deliveries that wait for a place are dispatched to others when their process stops', async () => {
    const webhookId = await tenant.webhook(receiver.url());
    const [first, second] = [await tenant.delivery({ webhookId }), await tenant.delivery({ webhookId })];
    receiver.respond = () => undefined;
    const sender = deliverer({ maxConcurrent: 1 });
    const slow = sender.deliver(first);
    await receiver.received(1);
    await sender.deliver(second);
    await sender.finish(0);
    expect([await slow, dispatched]).toEqual([0, [second.id]]);
    expect(await tenant.row(second.id)).toMatchObject({ status: 'pending', attempts: 0 });
  });
});

describe('BX-03 an organization without an attempt while all are in use', () => {
  const clock = new ManualClock();

  const ended = async (sender: Deliverer) => {
    const finished = sender.finish(0);
    await clock.advance(1);
    await finished;
  };

  /** An attempt of another organization that its receiver does not answer. */
  async function hanging(sender: Deliverer): Promise<void> {
    receiver.respond = ({ path }, response) => void (path === '/other' && response.end());
    const owner = await Tenant.create(fixture.db);
    void sender.deliver(await owner.delivery({ webhookId: await owner.webhook(receiver.url()) }));
    await receiver.received(1);
  }

  it('gets the place of the oldest attempt of the one with the most, half a second later, at no attempt', async () => {
    const sender = deliverer({ maxConcurrent: 4, clock });
    const webhookId = await tenant.webhook(receiver.url());
    const most = [await tenant.delivery({ webhookId }), await tenant.delivery({ webhookId })];
    receiver.respond = () => undefined;
    const displaced = sender.deliver(most[0]!);
    await receiver.received(1);
    void sender.deliver(most[1]!);
    await receiver.received(2);
    for (let others = 0; others < 2; others++) {
      const other = await Tenant.create(fixture.db);
      void sender.deliver(await other.delivery({ webhookId: await other.webhook(receiver.url()) }));
      await receiver.received(3 + others);
    }
    const waiting = await Tenant.create(fixture.db);
    const delivery = await waiting.delivery({ webhookId: await waiting.webhook(receiver.url('/other')) });
    receiver.respond = (_call, response) => response.end();
    expect(await sender.deliver(delivery)).toBeNull();
    await clock.advance(499);
    expect(sender.running).toBe(4);
    await clock.advance(1);
    expect(await displaced).toBe(1_000);
    expect(await tenant.row(most[0]!.id)).toMatchObject({ status: 'pending', attempts: 0 });
    await eventually(async () =>
      expect(await waiting.row(delivery.id)).toMatchObject({ status: 'success', attempts: 1 }),
    );
    await ended(sender);
  });

  it('waits for bytes as for places', async () => {
    const sender = deliverer({ maxConcurrent: 100, maxBytes: 1, clock });
    await hanging(sender);
    const delivery = await tenant.delivery({ webhookId: await tenant.webhook(receiver.url('/other')) });
    expect(await sender.deliver(delivery)).toBeNull();
    await clock.advance(9_500);
    expect(await tenant.row(delivery.id)).toMatchObject({ status: 'pending' });
    // The only attempt of an organization is displaced after ten seconds.
    await clock.advance(500);
    await eventually(async () => expect(await tenant.row(delivery.id)).toMatchObject({ status: 'success' }));
    await ended(sender);
  });
});
