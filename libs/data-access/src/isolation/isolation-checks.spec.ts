import { createTenant, ManualClock, openConnections, useDatabase, useSuperuser } from '@spooled/testing';
import { withAdvisoryLock } from '../database/advisory-lock.js';
import type { Database } from '../database/database.js';
import { roleProblems } from './definition-problems.js';
import {
  type IsolationCheckRow,
  latestIsolationCheck,
  listIsolationChecks,
  recordIsolation,
} from './isolation-checks.js';

const database = useDatabase();
const superuser = useSuperuser(database);
let db: Database;
beforeAll(() => void (db = openConnections(database, { maxConnections: 2 })));
afterAll(() => db.close());

/** A check has 10 s, and each table 2 s, which a busy machine may exceed. */
const patient = { clock: new ManualClock(), tableMs: 19_500 };
const check = async (): Promise<IsolationCheckRow> => (await recordIsolation(db, '1.0', patient))!;
/** Findings by table, those about roles, views and functions under "". */
async function findings(): Promise<Record<string, string[]>> {
  const byTable = Map.groupBy((await check()).findings, ({ table }) => table ?? '');
  return Object.fromEntries([...byTable].map(([table, rows]) => [table, rows.map(({ problem }) => problem)]));
}

/** Runs `work` while the statement is in force. */
async function during(broken: string, work: () => Promise<void>, repair: string): Promise<void> {
  await superuser.query(broken);
  try {
    await work();
  } finally {
    await superuser.query(repair);
  }
}

const visible = [
  'rows are visible without an organization',
  'rows are visible to an organization that does not exist',
  'rows of others are visible to an organization',
];

/** Organizations themselves, and what has one. */
async function tablesOfTenants(): Promise<number> {
  const { rows } = await superuser.query<{ tables: number }>(
    `SELECT count(*)::integer AS tables FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'organization_id'`,
  );
  return rows[0]!.tables + 1;
}

const twoTenants = () => Promise.all([0, 1].map(() => createTenant(database.superuserUrl)));

describe('the check of isolation', () => {
  it('SP-59 BX-01 passes on a migrated database, and counts partitions as well', async () => {
    await twoTenants();
    const found = await check();
    expect(found).toMatchObject({ passed: true, findings: [], tables_not_checked: [], version: '1.0' });
    expect(found.tables_checked).toBe(await tablesOfTenants());
    expect(Date.parse(found.finished_at)).toBeGreaterThanOrEqual(Date.parse(found.started_at));
  });

  it('SP-59 SP-60 names each table, also a partition, whose protection was changed, and what others see of it', async () => {
    const tenants = await twoTenants();
    for (const { organizationId } of tenants) {
      for (const table of ['queues', 'queue_config'])
        await superuser.query(`INSERT INTO ${table} (organization_id, queue_name) VALUES ($1, 'q')`, [organizationId]);
    }
    const { rows } = await superuser.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'jobs'::regclass ORDER BY 1 LIMIT 1`,
    );
    const partition = rows[0]!.name;
    await during(
      `ALTER TABLE api_keys DISABLE ROW LEVEL SECURITY;
       ALTER TABLE schedules NO FORCE ROW LEVEL SECURITY;
       DROP POLICY tenant ON ${partition};
       CREATE POLICY helpful ON queues FOR SELECT TO spooled_app USING (true);
       ALTER POLICY maintenance ON queue_config TO PUBLIC`,
      async () =>
        expect(await findings()).toEqual({
          api_keys: ['row-level security is not enabled', ...visible],
          schedules: ['row-level security is not forced, so it does not apply to the owner'],
          [partition]: ['the policy tenant is missing'],
          queues: [
            'the policy helpful does not belong to this release: PERMISSIVE FOR SELECT TO spooled_app USING true WITH CHECK none',
            ...visible,
          ],
          queue_config: [
            'the policy maintenance was changed: PERMISSIVE FOR ALL TO public USING true WITH CHECK true',
            ...visible,
          ],
        }),
      `ALTER TABLE api_keys ENABLE ROW LEVEL SECURITY;
       ALTER TABLE schedules FORCE ROW LEVEL SECURITY;
       CREATE POLICY tenant ON ${partition} TO spooled_app
         USING (organization_id = nullif(current_setting('app.current_org_id', true), '')::uuid)
         WITH CHECK (organization_id = nullif(current_setting('app.current_org_id', true), '')::uuid);
       DROP POLICY helpful ON queues;
       ALTER POLICY maintenance ON queue_config TO spooled_system`,
    );
    expect(await findings()).toEqual({});
  });

  it('BX-01 names ways around the policies: views, functions, TRUNCATE, ownership', async () => {
    await superuser.query(`CREATE VIEW all_keys AS SELECT * FROM api_keys; GRANT SELECT ON all_keys TO spooled_app;
      CREATE FUNCTION peek() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'SELECT count(*) FROM api_keys';
      GRANT TRUNCATE ON api_keys TO spooled_app`);
    const { rows } = await superuser.query<{ owner: string }>(
      `SELECT pg_get_userbyid(relowner) AS owner FROM pg_class WHERE relname = 'queues'`,
    );
    await superuser.query('ALTER TABLE queues OWNER TO spooled_app');
    const found = await findings();
    await superuser.query(`ALTER TABLE queues OWNER TO ${rows[0]!.owner};
      GRANT SELECT, INSERT, UPDATE, DELETE ON queues TO spooled_app; REVOKE TRUNCATE ON api_keys FROM spooled_app;
      DROP VIEW all_keys; DROP FUNCTION peek()`);
    const around = 'runs with the rights of its owner, and spooled_app may use it';
    expect(found['']).toEqual([`function peek ${around}`, `view all_keys ${around}`]);
    expect(found.api_keys).toEqual(['spooled_app may truncate it, to which no policy applies']);
    expect(found.queues).toContain('spooled_app owns it');
  });

  it('BX-01 names roles to which row-level security does not apply', async () => {
    const [bypassing, member] = [`bypassing_${process.pid}`, `member_${process.pid}`];
    await superuser.query(`CREATE ROLE ${bypassing} BYPASSRLS; CREATE ROLE ${member} IN ROLE ${bypassing}`);
    try {
      const problems = await db.inBatch((tx) =>
        roleProblems(tx, [bypassing, member, 'spooled_app', 'spooled_system'], 'spooled_system'),
      );
      expect(problems).toEqual([`${bypassing} has BYPASSRLS`, `${member} may act as ${bypassing}`]);
    } finally {
      await superuser.query(`DROP ROLE ${member}, ${bypassing}`);
    }
  });

  it('says which tables could not be checked, and does not wait for them', async () => {
    const all = await tablesOfTenants();
    await during(
      'BEGIN; LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE',
      async () =>
        expect(await check()).toMatchObject({
          passed: true,
          tables_checked: all - 1,
          tables_not_checked: ['api_keys'],
        }),
      'ROLLBACK',
    );
  });

  it('says which tables there was no time for, in 10 s', async () => {
    const all = await tablesOfTenants();
    // The beginning, the end, and the first two tables.
    const times = [0, 0, 9_999, 10_000];
    const moving = Object.assign(new ManualClock(), { monotonic: () => times.shift() ?? 10_000 });
    const found = await recordIsolation(db, '1.0', { ...patient, clock: moving });
    expect(found).toMatchObject({ passed: true, tables_checked: 1 });
    expect(found!.tables_not_checked).toHaveLength(all - 1);
  });

  it('reads a bounded part of a large table', async () => {
    const { organizationId } = await createTenant(database.superuserUrl);
    await superuser.query(
      `INSERT INTO queues (organization_id, queue_name) SELECT $1, repeat('q', 200) || n FROM generate_series(1, 20000) AS n`,
      [organizationId],
    );
    await during(
      'ALTER TABLE queues DISABLE ROW LEVEL SECURITY',
      async () => expect((await findings()).queues).toContain('rows are visible without an organization'),
      'ALTER TABLE queues ENABLE ROW LEVEL SECURITY',
    );
  });
});

describe('checks of isolation that are kept', () => {
  it('are the newest 30, listed from the newest, and invisible to requests', async () => {
    await superuser.query(
      `INSERT INTO isolation_checks (started_at, version, passed, tables_checked, findings, tables_not_checked)
       SELECT now(), 'v' || n, true, 1, '[]', '{}' FROM generate_series(0, 29) AS n`,
    );
    await recordIsolation(db, 'v30', patient);
    const all = await listIsolationChecks(db, { limit: 100, offset: 0, after: null });
    expect(all.map(({ version }) => version)).toEqual(Array.from({ length: 30 }, (_, n) => `v${30 - n}`));
    const after = all[27]!.id;
    const rest = await listIsolationChecks(db, { limit: 100, offset: 0, after });
    expect(rest.map(({ version }) => version)).toEqual(['v2', 'v1']);
    await expect(db.inBatch((tx) => tx.query('SELECT FROM isolation_checks'))).rejects.toThrow('permission denied');
    expect(await latestIsolationCheck(db, 'v30')).toMatchObject({
      result: { passed: true },
      is_complete: true,
      checked_by_version: true,
    });
    expect(await latestIsolationCheck(db, 'v0')).toMatchObject({ checked_by_version: false });
  });

  it('SP-59 keep the result of the last one that read every table, unless a later one finds something', async () => {
    await superuser.query('DELETE FROM isolation_checks');
    const record = (passed: boolean, leftOut: string[]) =>
      superuser.query(
        `INSERT INTO isolation_checks (started_at, version, passed, tables_checked, findings, tables_not_checked)
         VALUES (now(), '1.0', $1, 1, '[]', $2)`,
        [passed, leftOut],
      );
    const latest = () => latestIsolationCheck(db, '1.0');
    await record(true, ['jobs']);
    expect(await latest()).toMatchObject({ result: null, is_complete: false });
    await record(false, []);
    expect(await latest()).toMatchObject({ result: { passed: false }, is_complete: true });
    await record(true, ['jobs']);
    expect(await latest()).toMatchObject({ result: { passed: false }, is_complete: false });
    await record(true, []);
    expect(await latest()).toMatchObject({ result: { passed: true }, is_complete: true });
    await record(false, ['jobs']);
    expect(await latest()).toMatchObject({ result: { passed: false }, is_complete: false });
  });

  it('SP-59 keep that result behind any number of checks that left out tables', async () => {
    await superuser.query('DELETE FROM isolation_checks');
    await superuser.query(
      `INSERT INTO isolation_checks (started_at, version, passed, tables_checked, findings, tables_not_checked)
       SELECT now(), 'v' || n, true, 1, '[]', CASE WHEN n > 0 THEN '{jobs}' ELSE '{}' END::text[] FROM generate_series(0, 30) AS n`,
    );
    const recordIncomplete = async (version: string) => {
      // There is time for no table.
      const times = [0, 0];
      await recordIsolation(db, version, {
        clock: Object.assign(new ManualClock(), { monotonic: () => times.shift() ?? 10_000 }),
      });
      return (await listIsolationChecks(db, { limit: 100, offset: 0, after: null })).map((check) => check.version);
    };
    const newest = (from: number) => Array.from({ length: 30 }, (_, n) => `v${from - n}`);
    expect(await recordIncomplete('v31')).toEqual([...newest(31), 'v0']);
    expect(await latestIsolationCheck(db, 'v31')).toMatchObject({ result: { passed: true }, is_complete: false });
    await superuser.query(`UPDATE isolation_checks SET passed = false WHERE version = 'v2'`);
    expect(await recordIncomplete('v32')).toEqual([...newest(32), 'v2']);
    expect(await latestIsolationCheck(db, 'v32')).toMatchObject({ result: { passed: false }, is_complete: false });
  });

  it('run one at a time', async () => {
    const results = await withAdvisoryLock(db, 'isolation check', () => recordIsolation(db, 'second'));
    expect(results).toBeNull();
  });
});
