import { writeFileSync } from 'node:fs';
import { Spooled } from '@spooled/sdk';
import { createTenant, type Stack, startStack } from '@spooled/testing';
import pg from 'pg';
import { z } from 'zod';
import { type Round, runRound } from '../failover/round.js';
import { type Sample, takeSample } from './sample.js';
import { trendOf } from './trend.js';
import { workOverEachTransport } from './work-over-each-transport.js';

/** What `npm run soak` asks for; without it there is no run. */
const options = z
  .object({ minutes: z.number(), report: z.string() })
  .nullable()
  .parse(JSON.parse(process.env.SPOOLED_SOAK ?? 'null'));

/** In the first part processes are restarted, and caches and the database reach their size; readings count afterwards. */
const settlingShare = 1 / 3;
const msPerMinute = 60_000;

(options ? describe : describe.skip)('a long run, which only `npm run soak` makes', () => {
  const minutes = options?.minutes ?? 0;
  let stack: Stack;
  let superuser: pg.Client;
  beforeAll(async () => {
    stack = await startStack({ gateways: 2, engines: 2 });
    superuser = new pg.Client({ connectionString: stack.databaseUrls.superuserUrl });
    await superuser.connect();
  }, 120_000);
  afterAll(async () => {
    await superuser?.end();
    await stack?.stop();
  }, 60_000);

  /** One after the other. */
  const restarts = function* (): Generator<() => Promise<void>, never> {
    for (;;)
      for (const service of stack.services)
        for (const [index] of stack.metricsUrls(service).entries()) yield () => stack.restart(service, index);
  };

  it(
    'keeps its promises and does not grow',
    async () => {
      const samples: { at: number; values: Sample }[] = [];
      const rounds: Round[] = [];
      const [start, all] = [performance.now(), minutes * msPerMinute];
      const elapsed = () => performance.now() - start;
      const nextRestart = restarts();
      const { superuserUrl } = stack.databaseUrls;
      const admin = new Spooled({ baseUrl: stack.baseUrl, adminKey: stack.adminKey }).admin;
      while (elapsed() < all) {
        const isSettling = elapsed() < all * settlingShare;
        const begin = isSettling ? nextRestart.next().value : () => Promise.resolve();
        const fault = { name: isSettling ? 'restart' : 'none', begin, heal: () => Promise.resolve() };
        // Tenants and their keys live for one round, so that what is erased leaves capacity.
        const tenant = await createTenant(superuserUrl);
        const round = await runRound(stack, fault);
        await workOverEachTransport(stack, tenant);
        rounds.push(round);
        for (const id of [round.organizationId, tenant.organizationId]) await admin.eraseOrganization(id);
        const values = { ...(await takeSample(stack, superuser)), 'p99 ms': round.p99Ms };
        if (!isSettling) samples.push({ at: elapsed() / msPerMinute / 60, values });
      }
      const trends = Object.keys(samples[0]!.values).map((name) => ({
        name,
        ...trendOf(samples.map(({ at, values }) => ({ at, value: values[name]! }))),
      }));
      const violations = rounds.flatMap((round) => round.violations);
      const acknowledged = rounds.reduce((sum, round) => sum + round.acknowledged, 0);
      const summary = { rounds: rounds.length, samples: samples.length, acknowledged, violations, trends };
      writeFileSync(options!.report, JSON.stringify(summary));
      expect(violations).toEqual([]);
      expect(trends.filter(({ isFlat }) => !isFlat).map(({ name }) => name)).toEqual([]);
    },
    (minutes + 10) * msPerMinute,
  );
});
