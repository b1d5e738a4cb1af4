import { appendFileSync } from 'node:fs';
import { defaultTimeouts, eventually, type Stack, startStack, type TestRedisServer } from '@spooled/testing';
import { z } from 'zod';
import type { DatabaseCluster } from './database-cluster.js';
import { startPatroniCluster } from './patroni-cluster.js';
import { type Fault, runRound } from './round.js';
import { startScriptedCluster } from './scripted-cluster.js';

/** What `npm run failover` asks for; without it the replica is promoted by a script, once. */
const options = z
  .object({
    times: z.number(),
    switchovers: z.number(),
    /** Of each of Sentinel and Cluster. */
    redis: z.number(),
    /** Null: promotion by a script. */
    patroni: z.object({ python: z.string(), packages: z.string(), synchronous: z.boolean() }).nullable(),
    synchronous: z.boolean(),
    report: z.string().nullable(),
  })
  .parse(
    JSON.parse(
      process.env.SPOOLED_FAILOVER ??
        '{"times":1,"switchovers":0,"redis":0,"patroni":null,"synchronous":true,"report":null}',
    ),
  );
const { times, switchovers, redis, patroni, synchronous, report } = options;
const services = { gateways: 2, engines: 2, webhooks: 0, realtime: 0 };

const roundsOf = (fault: Fault, times: number) => Array.from({ length: times }, (_, i) => [i + 1, fault] as const);

async function judge(stack: Stack, fault: Fault): Promise<void> {
  const round = await runRound(stack, fault);
  if (report) appendFileSync(report, `${JSON.stringify(round)}\n`);
  if (synchronous) expect(round.violations).toEqual([]);
}

const isOfPostgres = times + switchovers > 0;
(isOfPostgres ? describe : describe.skip)('failovers of PostgreSQL under load', () => {
  let cluster: DatabaseCluster;
  let stack: Stack;
  beforeAll(async () => {
    cluster = await (patroni ? startPatroniCluster(patroni) : startScriptedCluster(synchronous));
    const database = { ...cluster.urls, drop: () => Promise.resolve() };
    stack = await startStack({ ...services, database, env: defaultTimeouts });
  }, 300_000);
  afterAll(async () => {
    await stack?.stop();
    await cluster?.stop();
  }, 120_000);

  const killed: Fault = {
    name: 'PostgreSQL: primary killed',
    begin: () => cluster.killPrimary(),
    heal: () => cluster.heal(),
  };
  const planned: Fault = {
    name: 'PostgreSQL: switchover',
    begin: () => cluster.switchOver(),
    heal: () => cluster.heal(),
  };
  it.each([...roundsOf(killed, times), ...roundsOf(planned, switchovers)])(
    'BX-20 round %i: nothing acknowledged is lost',
    (_, fault) => judge(stack, fault),
    600_000,
  );
});

for (const mode of redis > 0 ? (['sentinel', 'cluster'] as const) : [])
  describe(`failovers of Redis (${mode}) under load`, () => {
    let stack: Stack;
    beforeAll(async () => (stack = await startStack({ ...services, redis: mode })), 120_000);
    afterAll(() => stack?.stop(), 120_000);

    let killed: TestRedisServer;
    const fault: Fault = {
      name: `Redis ${mode}: primary killed`,
      begin: async (organizationId) => {
        killed = await stack.redis!.primaryOf(organizationId);
        await killed.kill();
        const current = async () => (await stack.redis!.primaryOf(organizationId)).port;
        await eventually(async () => expect(await current()).not.toBe(killed.port), {
          timeoutMs: 60_000,
          everyMs: 250,
        });
      },
      heal: () => killed.start(),
    };
    it.each(roundsOf(fault, redis))('round %i: nothing acknowledged is lost', (_, each) => judge(stack, each), 600_000);
  });
