import { writeFileSync } from 'node:fs';
import { startPgBouncer, type TestPgBouncer } from '@spooled/testing';
import { TwoTenants } from '../two-tenants.js';
import { callersOf, databaseAttack, grpcAttack, restAttack } from './attack.js';
import { attackDatabase } from './attack-database.js';
import { attackGrpc } from './attack-grpc.js';
import { attackRest } from './attack-rest.js';
import { attackTimes } from './attack-times.js';
import { Findings } from './findings.js';

const timeoutMs = 3_600_000;
/** Where `npm run isolation` reads the cases and the leaks. */
const report = process.env.SPOOLED_ISOLATION_REPORT;

/** What isolation.spec.ts, which is part of `npm test`, has tried already; a report has it as well. */
const triedElsewhere = report ? [] : ['admin', 'key of one queue'];

/**
 * It has also sent each request that a route takes. Who calls is decided earlier: the plain request and the one with forged headers are
 * enough. A report has every request by every caller.
 */
const extent = report ? { everything: true } : { mostRequests: 2 };

/** isolation.spec.ts with every caller, and through PgBouncer. */
describe('an organization that attacks another with every credential', () => {
  const findings = new Findings();
  let tenants: TwoTenants;
  let pooler: TestPgBouncer;
  let callers: Record<string, string | null>;

  beforeAll(async () => {
    tenants = await TwoTenants.open({ realtime: 0, webhooks: 0, env: { TRUSTED_PROXY_HOPS: '1' } });
    pooler = await startPgBouncer(tenants.stack.databaseUrls);
    const all = Object.entries(await callersOf(tenants));
    callers = Object.fromEntries(all.filter(([name]) => !triedElsewhere.includes(name)));
  }, 120_000);
  afterAll(async () => {
    if (report) writeFileSync(report, JSON.stringify({ cases: [...findings.cases], leaks: findings.leaks }));
    await pooler?.stop();
    await tenants?.close();
  });

  // Alone: 90,000 requests that tell something only on a machine that is not busy. First: the other attacks create jobs and queues of the
  // same names, not as many of each.
  if (report)
    it(
      'BX-01 gets nothing from the times of answers',
      async () => {
        await attackTimes(await restAttack(tenants, callers), findings);
        expect(findings.leaks).toEqual([]);
      },
      timeoutMs,
    );

  it(
    'BX-01 gets nothing by REST',
    async () => {
      await attackRest({ ...(await restAttack(tenants, callers)), ...extent }, findings);
      expect(findings.leaks).toEqual([]);
    },
    timeoutMs,
  );

  it(
    'BX-01 gets nothing by gRPC',
    async () => {
      const keys = Object.entries(callers).filter((entry): entry is [string, string] => entry[1] !== null);
      await attackGrpc(grpcAttack(tenants, Object.fromEntries(keys)), findings);
      expect(findings.leaks).toEqual([]);
    },
    timeoutMs,
  );

  it(
    'BX-01 gets nothing from PostgreSQL, directly or through PgBouncer',
    async () => {
      if (report) await attackDatabase(await databaseAttack(tenants), findings);
      const { appUrl } = tenants.stack.databaseUrls;
      await attackDatabase(await databaseAttack(tenants, pooler.through(appUrl)), findings, 'through PgBouncer');
      expect(findings.leaks).toEqual([]);
    },
    timeoutMs,
  );
});
