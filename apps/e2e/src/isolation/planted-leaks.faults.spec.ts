import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { useFolder } from '@spooled/testing';
import { TwoTenants } from '../two-tenants.js';
import { callersOf, databaseAttack, restAttack } from './attack.js';
import { attackDatabase } from './attack-database.js';
import { attackRest } from './attack-rest.js';
import { attackTimes } from './attack-times.js';
import { Findings } from './findings.js';
import { type CodeLeak, codeLeaks, databaseLeaks, timeLeak } from './planted-leaks.js';

const timeoutMs = 600_000;
/** Where `npm run isolation` reads what was found. */
const report = process.env.SPOOLED_ISOLATION_PLANTED;

/** The attack is worth something only if it finds holes: each of these is there while it runs. */
describe('planted leaks', () => {
  const found: string[] = [];
  const folder = useFolder();
  let tenants: TwoTenants;
  beforeAll(async () => {
    buildLeaky([...codeLeaks, timeLeak]);
    tenants = await TwoTenants.open({ realtime: 0, webhooks: 0, env: { TRUSTED_PROXY_HOPS: '1' }, root: folder });
  }, 120_000);
  afterAll(async () => {
    await tenants?.close();
    if (report) writeFileSync(report, JSON.stringify(found));
  });

  /** A copy of the checkout, whose gateway has these leaks. */
  function buildLeaky(leaks: readonly CodeLeak[]): void {
    const script = 'apps/e2e/src/isolation/build-leaky.mjs';
    const args = [script, folder, JSON.stringify(leaks)];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }

  const check = (leaks: readonly { name: string; found: RegExp }[], findings: Findings): void => {
    const text = findings.leaks.join('\n');
    const missed = leaks.filter((leak) => !leak.found.test(text));
    found.push(...leaks.filter((leak) => !missed.includes(leak)).map(({ name }) => name));
    expect({ missed: missed.map(({ name }) => name), found: missed.length > 0 ? findings.leaks : [] }).toEqual({
      missed: [],
      found: [],
    });
  };

  it(
    'BX-01 in the time of an answer are found',
    async () => {
      const findings = new Findings();
      const { admin } = await callersOf(tenants);
      const attack = await restAttack(tenants, { admin: admin! });
      // One job: each is asked for 100 times, twice.
      const pathsOf = (path: string) => attack.pathsOf(path).slice(0, 1);
      await attackTimes({ ...attack, pathsOf, only: /^\/api\/v1\/jobs\/\{id\}\/history$/ }, findings, 100);
      check([timeLeak], findings);
    },
    timeoutMs,
  );

  it(
    'BX-01 in the code of the gateway are found',
    async () => {
      const findings = new Findings();
      const { admin, 'revoked key': revoked } = await callersOf(tenants);
      const attack = await restAttack(tenants, { admin: admin!, 'revoked key': revoked! });
      const only = /^\/api\/v1\/(organizations(\/\{id\})?|jobs\/\{id\}(\/dependencies)?|workflows)$/;
      await attackRest({ ...attack, only }, findings);
      check(codeLeaks, findings);
    },
    timeoutMs,
  );

  it(
    'BX-01 in the database are found',
    async () => {
      for (const { sql } of databaseLeaks)
        await tenants.superuser.query(sql.replaceAll(':victim', tenants.alice.organizationId));
      const findings = new Findings();
      await attackDatabase(await databaseAttack(tenants), findings);
      check(databaseLeaks, findings);
    },
    timeoutMs,
  );
});
