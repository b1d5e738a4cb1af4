import { setTimeout as pause } from 'node:timers/promises';
import { type ClaimedJob, type Command, type CommandOf, type Outcome, TransportLostError } from '@spooled/contracts';
import { eventually, type FailoverRedis, type TestRedisServer } from '@spooled/testing';
import type { CommandStreamClient } from '../commands/command-stream.client.js';
import { TransportFixture, purge } from '../commands/command-stream.fixture.js';
import { Failover, failover, organizationId, setups } from './failover.fixture.js';

const claim = (workerId: string): CommandOf<'job.claim'> => ({
  ...purge({ organizationId }),
  kind: 'job.claim',
  body: { queueName: 'emails', workerId, limit: 1, leaseSeconds: 30 },
});
describe.each(setups)('SP-94 Redis %s', (_, startServers) => {
  /**
   * Sends claims one after another until stopped. Each must be answered or fail as lost, and no job that was answered
   * may be reported as unclaimed.
   */
  const startLoad = async ({ redis, fixture }: Failover) => {
    /** Ends the load, also that of a failed test. */
    let stopped = false;
    const granted = new Set<string>();
    const unclaimed: string[] = [];
    const onUnclaimed = (_: string, jobs: ClaimedJob[]) => void unclaimed.push(...jobs.map(({ id }) => id));
    const held: (() => void)[] = [];
    const handle = (command: Command): Promise<Outcome> => {
      granted.add(command.id);
      const outcome: Outcome = { ok: true, value: { jobs: [{ id: command.id, leaseId: command.id } as ClaimedJob] } };
      const { workerId } = command.body as { workerId: string };
      if (workerId !== 'held') return Promise.resolve(outcome);
      return new Promise((answer) => held.push(() => answer(outcome)));
    };
    await fixture.engine(redis.url, handle, { onUnclaimed });
    const ready = async (client: CommandStreamClient) => {
      await eventually(() => expect(client.state(organizationId)).toBe('ready'), failover);
      return client;
    };
    const client = await ready(fixture.client(redis.url, { onUnclaimed }));
    const answered: string[] = [];
    const errors: unknown[] = [];
    const send = async () => {
      while (!stopped) {
        const command = claim('w1');
        await client.send(command).then(
          () => answered.push(command.id),
          (error: unknown) => errors.push(error),
        );
        // Six tests wait side by side for seconds: without a pause their senders take both cores.
        await pause(20);
      }
    };
    const senders = [send(), send(), send(), send()];
    /** The engine reports the jobs of a caller that has gone, and with it everything that it has to report before. */
    const untilReported = async () => {
      const other = new TransportFixture();
      const gone = claim('held');
      (await ready(other.client(redis.url))).send(gone).catch(() => undefined);
      await eventually(() => expect(held).toHaveLength(1), failover);
      await other.closeAll();
      held[0]!();
      await eventually(() => expect(unclaimed).toContain(gone.id), failover);
    };
    const stop = async () => {
      stopped = true;
      await Promise.all(senders);
      await untilReported();
      expect(errors.filter((error) => !(error instanceof TransportLostError))).toEqual([]);
      expect(answered.filter((id) => !granted.has(id) || unclaimed.includes(id))).toEqual([]);
    };
    return { answered, errors, stop, [Symbol.dispose]: () => void (stopped = true) };
  };

  const replace = {
    'is killed': (primary: TestRedisServer) => primary.kill(),
    hangs: (primary: TestRedisServer) => Promise.resolve(primary.pause()),
    'is demoted': (_: TestRedisServer, redis: FailoverRedis) => redis.failover(organizationId),
  };
  it.concurrent.each(Object.keys(replace) as (keyof typeof replace)[])(
    'KF-18 commands resume when the primary %s',
    async (how) => {
      await using used = await Failover.open(startServers);
      const { redis } = used;
      using load = await startLoad(used);
      const { answered, errors, stop } = load;
      await eventually(() => expect(answered.length).toBeGreaterThan(50));
      const primary = await redis.primaryOf(organizationId);
      await replace[how](primary, redis);
      // Sentinels close the connections of a primary that they have replaced as planned after about 10 s.
      await eventually(() => expect(errors.length).toBeGreaterThan(0), failover);
      const before = answered.length;
      await eventually(() => expect(answered.length).toBeGreaterThan(before + 50), failover);
      // The servers learn of a new primary one after the other: commands may reach it before the server that is asked here names it.
      await eventually(
        async () => expect((await redis.primaryOf(organizationId)).port).not.toBe(primary.port),
        failover,
      );
      // It joins as a replica, and commands are not affected.
      primary.resume();
      await primary.start();
      const resumed = answered.length;
      await eventually(() => expect(answered.length).toBeGreaterThan(resumed + 50), failover);
      await stop();
    },
    120_000,
  );
});
