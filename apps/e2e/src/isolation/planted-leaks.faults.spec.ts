import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TwoTenants } from '../two-tenants.js';
import { callersOf, databaseAttack, restAttack } from './attack.js';
import { attackDatabase } from './attack-database.js';
import { attackRest } from './attack-rest.js';
import { attackTimes } from './attack-times.js';
import { Findings } from './findings.js';
import { type CodeLeak, codeLeaks, databaseLeaks, headerLeak, timeLeak } from './planted-leaks.js';

const timeoutMs = 600_000;
/** Where `npm run isolation` reads what was found. */
const report = process.env.SPOOLED_ISOLATION_PLANTED;

/** The attack is worth something only if it finds holes: each of these is there while it runs. */
describe('planted leaks', () => {
  const found: string[] = [];
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
    if (report) writeFileSync(report, JSON.stringify(found));
  });

  function leakyRoot(leaks: readonly CodeLeak[]): string {
    const folder = mkdtempSync(join(tmpdir(), 'spooled-leaky-'));
    folders.push(folder);
    const script = 'apps/e2e/src/isolation/build-leaky.mjs';
    const { status, stderr } = spawnSync(process.execPath, [script, folder, JSON.stringify(leaks)], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    return folder;
  }

  async function withLeaks<T>(leaks: readonly CodeLeak[], work: (tenants: TwoTenants) => Promise<T>): Promise<T> {
    const env = { TRUSTED_PROXY_HOPS: '1' };
    const tenants = await TwoTenants.open({ realtime: 0, webhooks: 0, env, root: leakyRoot(leaks) });
    try {
      return await work(tenants);
    } finally {
      await tenants.close();
    }
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

  const attackWith = async (tenants: TwoTenants, only: RegExp): Promise<Findings> => {
    const findings = new Findings();
    const { admin, 'revoked key': revoked } = await callersOf(tenants);
    const attack = await restAttack(tenants, { admin: admin!, 'revoked key': revoked! });
    await attackRest({ ...attack, only }, findings);
    return findings;
  };

  it(
    'BX-01 in the code and in the database are found',
    async () => {
      await withLeaks(codeLeaks, async (tenants) => {
        check(
          codeLeaks,
          await attackWith(tenants, /^\/api\/v1\/(organizations(\/\{id\})?|jobs\/\{id\}(\/dependencies)?)$/),
        );
        for (const { sql } of databaseLeaks)
          await tenants.superuser.query(sql.replaceAll(':victim', tenants.alice.organizationId));
        const findings = new Findings();
        await attackDatabase(await databaseAttack(tenants), findings);
        check(databaseLeaks, findings);
      });
    },
    timeoutMs,
  );

  it(
    'BX-01 of a header that names the organization, and of the time of an answer, are found',
    async () => {
      await withLeaks([headerLeak, timeLeak], async (tenants) => {
        check([headerLeak], await attackWith(tenants, /^\/api\/v1\/jobs$/));
        const findings = new Findings();
        const { admin } = await callersOf(tenants);
        const attack = await restAttack(tenants, { admin: admin! });
        await attackTimes({ ...attack, only: /^\/api\/v1\/jobs\/\{id\}$/ }, findings, 100);
        check([timeLeak], findings);
      });
    },
    timeoutMs,
  );
});
