import { createTenant, useConnections, useDatabase, useSuperuser } from '@spooled/testing';
import { findDueSchedules } from './due-schedules.js';
import { findDueSchedules as findDueSchedulesSql } from './find-due-schedules.queries.js';

const database = useDatabase();
const db = useConnections(database);
const superuser = useSuperuser(database);
const sql = async (text: string, parameters: unknown[] = []) => (await superuser.query(text, parameters)).rows;

describe('due schedules', () => {
  let org: string;
  beforeEach(async () => {
    await sql('DELETE FROM schedules');
    org = await organization();
  });
  const organization = async () => (await createTenant(database.superuserUrl)).organizationId;

  /** @param n the last part of its id */
  const schedule = async (
    n: number,
    nextRunAt: string,
    { organizationId = org, payload = '{}', active = true } = {},
  ) => {
    const id = `00000000-0000-4000-8000-00000000000${n}`;
    await sql(
      `INSERT INTO schedules (id, organization_id, name, cron_expression, queue_name, payload_template, next_run_at, is_active)
       VALUES ($1, $2, $3, '0 3 * * *', 'reports', $4, $5, $6)`,
      [id, organizationId, `s${n}`, payload, nextRunAt, active],
    );
  };
  const names = (rows: { name: string }[]) => rows.map(({ name }) => name);
  const find = (limit: number) => db.asSystem('due schedules of a spec', (tx) => findDueSchedules(tx, limit));
  const findWithin = (maxBytes: number) =>
    db.asSystem('due schedules of a spec', (tx) => tx.run(findDueSchedulesSql, { limit: 9, except: [], maxBytes }));

  it('are those of active schedules whose time has come, the longest overdue first, as many as asked for', async () => {
    await schedule(1, '2021-01-01');
    await schedule(4, '2020-01-01');
    await schedule(3, '2020-01-01');
    await schedule(2, '2099-01-01');
    await schedule(5, '2019-01-01', { active: false });
    expect(names(await find(9))).toEqual(['s3', 's4', 's1']);
    expect(names(await find(2))).toEqual(['s3', 's4']);
    expect(names(await find(1))).toEqual(['s3']);
  });

  it('leave those of other organizations for later, which take no places', async () => {
    const other = await organization();
    await schedule(1, '2020-01-01', { organizationId: other });
    await schedule(2, '2020-01-02');
    const found = db.asSystem('due schedules of a spec', (tx) => findDueSchedules(tx, 1, [other]));
    expect(names(await found)).toEqual(['s2']);
  });

  it('are as many as fit into the bytes of their payloads, and one in any case', async () => {
    // 10 bytes each.
    const payload = '{"a":1234}';
    for (const [n, nextRunAt] of [
      [3, '2020-01-01'],
      [2, '2020-01-02'],
      [1, '2020-01-02'],
    ] as const)
      await schedule(n, nextRunAt, { payload });
    expect(names(await findWithin(1))).toEqual(['s3']);
    expect(names(await findWithin(10))).toEqual(['s3']);
    expect(names(await findWithin(11))).toEqual(['s3', 's1']);
    expect(names(await findWithin(21))).toEqual(['s3', 's1', 's2']);
  });

  it('end with their organization, and leave those of others as they are', async () => {
    const deleted = await organization();
    await schedule(1, '2020-01-01', { organizationId: deleted });
    await schedule(2, '2020-01-01');
    await schedule(3, '2099-01-01');
    await sql(`UPDATE organizations SET plan_tier = 'deleted' WHERE id = $1`, [deleted]);
    expect(names(await find(9))).toEqual(['s2']);
    expect(await sql('SELECT name, next_run_at IS NULL AS ended FROM schedules ORDER BY id')).toEqual([
      { name: 's1', ended: true },
      { name: 's2', ended: false },
      { name: 's3', ended: false },
    ]);
  });

  it('say whether the queue of their own organization has a payload contract', async () => {
    const other = await organization();
    await schedule(1, '2020-01-01');
    await schedule(2, '2020-01-02', { organizationId: other });
    for (const [organizationId, queue, isCurrent] of [
      [org, 'images', true],
      [org, 'reports', false],
      [other, 'reports', true],
    ])
      await sql(
        `INSERT INTO payload_contracts (organization_id, queue_name, version, schema, mode, compatibility, is_current)
         VALUES ($1, $2, 1, '{}', 'reject', 'none', $3)`,
        [organizationId, queue, isCurrent],
      );
    expect((await find(9)).map(({ has_contract }) => has_contract)).toEqual([false, true]);
  });
});
