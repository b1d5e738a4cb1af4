import type { EventEnvelope } from '@spooled/contracts';
import { eventually, startRedis, type TestRedis } from '@spooled/testing';
import { TransportFixture } from '../commands/command-stream.fixture.js';
import { RedisEventPublisher } from './event-publisher.js';
import { type EventWithId, RedisEventSubscriber } from './event-subscriber.js';
import { QueueSignals } from './queue-signals.js';

let redis: TestRedis;
let fixture: TransportFixture;
beforeEach(async () => {
  redis = await startRedis();
  fixture = new TransportFixture();
});
afterEach(async () => {
  await fixture.closeAll();
  await redis.close();
});

const ping = (timestamp: string): EventEnvelope => ({ type: 'Ping', data: { timestamp } });

describe('SP-12 live events', () => {
  it('reach every listener of their organization, in order, and SP-61 no other organization', async () => {
    const publisher = new RedisEventPublisher(await fixture.openShards(redis.url));
    const subscriber = new RedisEventSubscriber(fixture.shards(redis.url), fixture.log);
    const received: Record<string, EventEnvelope[]> = { first: [], second: [], other: [] };
    subscriber.subscribe('a', (events) => received.first!.push(...events.map(({ envelope }) => envelope)));
    const leave = subscriber.subscribe('a', (events) =>
      received.second!.push(...events.map(({ envelope }) => envelope)),
    );
    subscriber.subscribe('b', (events) => received.other!.push(...events.map(({ envelope }) => envelope)));
    await eventually(() => expect(subscriber.isSubscribed('a') && subscriber.isSubscribed('b')).toBe(true));

    publisher.publish([{ organizationId: 'a', events: [ping('1'), ping('2')] }]);
    await eventually(() => expect(received.second).toHaveLength(2));
    leave();
    publisher.publish([{ organizationId: 'a', events: [ping('3')] }]);
    publisher.publish([{ organizationId: 'b', events: [ping('4')] }]);
    await eventually(() => expect(received.other).toEqual([ping('4')]));
    expect(received.first).toEqual([ping('1'), ping('2'), ping('3')]);
    expect(received.second).toEqual([ping('1'), ping('2')]);
  });

  it('are not published without subscribers, and all are published once a stream is ready', async () => {
    const shards = fixture.shards(redis.url);
    const publisher = new RedisEventPublisher(shards);
    const { commands, channels } = shards.all[0]!;
    const publish = (what: string) => publisher.publish([{ organizationId: 'a', events: [ping(what)] }]);
    await eventually(() => expect(channels.isSubscribed('spooled:audiences')).toBe(true));
    for (let i = 0; i < 10; i++) publish('unsubscribed');
    // All messages sent so far were processed.
    await commands.ping();
    expect(await commands.exists('org:a:recent_events')).toBe(0);

    const receiving = fixture.shards(redis.url);
    const subscriber = new RedisEventSubscriber(receiving, fixture.log);
    const received: EventEnvelope[] = [];
    await eventually(() => expect(receiving.connected).toBe(true));
    publish('unsubscribed');
    subscriber.subscribe('a', (events) => received.push(...events.map(({ envelope }) => envelope)));
    await subscriber.ready('a');
    // By now the announcement is in this connection's buffer.
    await eventually(() => {
      publish('received');
      expect(received).toContainEqual(ping('received'));
    });
    expect(await commands.exists('org:a:recent_events')).toBe(1);
  });

  it('also reach a direct subscriber of the channel', async () => {
    const publisher = new RedisEventPublisher(fixture.shards(redis.url));
    const shards = fixture.shards(redis.url);
    await eventually(() => expect(shards.connected).toBe(true));
    const received: string[] = [];
    shards.all[0]!.channels.subscribe('org:a:events', (message) => received.push(message));
    await eventually(() => {
      publisher.publish([{ organizationId: 'a', events: [ping('1')] }]);
      expect(received.length).toBeGreaterThan(0);
    });
  });

  it('are unsubscribed with the last listener', async () => {
    const shards = fixture.shards(redis.url);
    const subscriber = new RedisEventSubscriber(fixture.shards(redis.url), fixture.log);
    const subscribers = () => shards.all[0]!.commands.pubsub('NUMSUB', 'org:a:events');
    const leaves = [subscriber.subscribe('a', () => undefined), subscriber.subscribe('a', () => undefined)];
    await eventually(async () => expect(await subscribers()).toEqual(['org:a:events', 1]));
    leaves.forEach((leave) => leave());
    await eventually(async () => expect(await subscribers()).toEqual(['org:a:events', 0]));
  });

  it('that were missed are read up to half a megabyte, the newest ones', async () => {
    const publisher = new RedisEventPublisher(await fixture.openShards(redis.url));
    const subscriber = new RedisEventSubscriber(fixture.shards(redis.url), fixture.log);
    const received: EventWithId[] = [];
    subscriber.subscribe('a', (events) => received.push(...events));
    await subscriber.ready('a');
    await eventually(() => expect(subscriber.isSubscribed('a')).toBe(true));
    const publish = async (count: number, of: (i: number) => string) => {
      const before = received.length;
      for (let i = 0; i < count; i++) publisher.publish([{ organizationId: 'a', events: [ping(of(i))] }]);
      await eventually(() => expect(received).toHaveLength(before + count));
    };
    await publish(1, () => 'last seen');
    await publish(60, (i) => `small ${i}`);
    const since = async () => (await subscriber.since('a', received[0]!.id)).map(({ id }) => id);
    expect(await since()).toEqual(received.slice(1).map(({ id }) => id));
    await publish(100, (i) => `${i}`.padEnd(60_000, 'x'));
    expect(await since()).toEqual(received.slice(-8).map(({ id }) => id));
  });

  it('that were missed are read without the batches that were too large to keep', async () => {
    const publisher = new RedisEventPublisher(await fixture.openShards(redis.url));
    const subscriber = new RedisEventSubscriber(fixture.shards(redis.url), fixture.log);
    const received: EventWithId[] = [];
    subscriber.subscribe('a', (events) => received.push(...events));
    await subscriber.ready('a');
    await eventually(() => expect(subscriber.isSubscribed('a')).toBe(true));
    const large = 'x'.repeat(65_536);
    for (const text of ['last seen', 'one', large, 'two'])
      publisher.publish([{ organizationId: 'a', events: [ping(text)] }]);
    await eventually(() => expect(received).toHaveLength(4));
    const [seen, one, last, two] = received.map(({ id }) => id);
    const since = async (id: string) => (await subscriber.since('a', id)).map((event) => event.id);
    expect(await since(seen!)).toEqual([one, two]);
    // The batch of the last event may be one of them.
    expect(await since(last!)).toEqual([two]);
  });

  it('resume after an outage; those published meanwhile are dropped and counted', async () => {
    let dropped = 0;
    const shards = fixture.shards(redis.url);
    const publisher = new RedisEventPublisher(shards, (events) => (dropped += events));
    const receiving = fixture.shards(redis.url);
    const subscriber = new RedisEventSubscriber(receiving, fixture.log);
    const received: EventEnvelope[] = [];
    subscriber.subscribe('a', (events) => received.push(...events.map(({ envelope }) => envelope)));
    await eventually(() => expect(subscriber.isSubscribed('a')).toBe(true));

    await redis.kill();
    await eventually(() => expect([shards.connected, receiving.connected]).toEqual([false, false]));
    publisher.publish([{ organizationId: 'a', events: [ping('lost'), ping('too')] }]);
    await eventually(() => expect(dropped).toBe(2));

    await redis.start();
    await eventually(() => expect([shards.connected, subscriber.isSubscribed('a')]).toEqual([true, true]));
    publisher.publish([{ organizationId: 'a', events: [ping('again')] }]);
    await eventually(() => expect(received).toEqual([ping('again')]));
  });
});

it('sends wake-ups and pauses of a queue', async () => {
  const sender = new QueueSignals(await fixture.openShards(redis.url));
  const shards = fixture.shards(redis.url);
  const receiver = new QueueSignals(shards);
  const received: string[] = [];
  receiver.onWake('a', 'mail', (why) => received.push(why));
  receiver.onControl('a', 'mail', (state) => received.push(state));
  const { channels } = shards.all[0]!;
  await eventually(() => expect(channels.isSubscribed('org:a:queue:mail:control')).toBe(true));
  sender.wake('a', 'mail', 'bulk_enqueue');
  sender.wake('a', 'other', 'unsubscribed');
  sender.control('a', 'mail', 'paused');
  await eventually(() => expect(received).toEqual(['bulk_enqueue', 'paused']));
});
