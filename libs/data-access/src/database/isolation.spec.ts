import { randomUUID } from 'node:crypto';
import { eventually, openConnections, useConnections, useDatabase, useSuperuser } from '@spooled/testing';
import { describeTable, listTenantTables } from '../isolation/read-definitions.queries.js';
import { tenantPolicies } from '../isolation/tenant-policies.js';
import type { Database } from './database.js';

describe('tenant isolation in the database', () => {
  const database = useDatabase();
  const db = useConnections(database, { maxConnections: 2 });
  const superuser = useSuperuser(database);

  const organization = async (): Promise<string> => {
    const { rows } = await superuser.query<{ id: string }>(
      `INSERT INTO organizations (name, slug) VALUES ('x', 'org-' || gen_random_uuid()) RETURNING id`,
    );
    await superuser.query(`INSERT INTO queues (organization_id, queue_name) VALUES ($1, 'q')`, [rows[0]!.id]);
    return rows[0]!.id;
  };

  it('SP-59 BX-01 forces row-level security, with policies for both roles, on every table with tenant data', async () => {
    const { app, system } = db.installation;
    const tables = await db.inBatch((tx) => tx.run(listTenantTables));
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables) {
      const [table] = await db.inBatch((tx) => tx.run(describeTable, { name, app, roles: [app, system] }));
      expect({ name, ...table }).toMatchObject({ name, rls_enabled: true, rls_forced: true, owned_by: [] });
      expect([name, table!.policies]).toEqual([name, tenantPolicies(table!.organization_column, db.installation)]);
    }
  });

  it('BX-01 every table has an organization_id, or is listed as holding no tenant data', async () => {
    const { rows } = await superuser.query<{ name: string }>(`
      SELECT relname AS name FROM pg_class c
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'm', 'f') AND relname <> 'organizations'
        AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'organization_id' AND a.attnotnull)`);
    expect(rows.map(({ name }) => name).sort()).toEqual([
      '_prisma_migrations',
      'administrator_sessions',
      'command_fences',
      'isolation_checks',
      'repeatable_migrations',
      'series_samples',
      'service_processes',
      'system_gauges',
    ]);
  });

  it('BX-01 the request role may not change tables without tenant data, but for fences of commands', async () => {
    const { rows } = await superuser.query<{ name: string }>(`
      SELECT relname AS name FROM pg_class c
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname <> 'organizations'
        AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'organization_id')
        AND has_table_privilege('spooled_app', c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')`);
    expect(rows.map(({ name }) => name)).toEqual(['command_fences']);
  });

  it('BX-01 the request role may write only the fences of its organization', async () => {
    const [a, b] = [randomUUID(), randomUUID()];
    const fence = (owner: string) =>
      `INSERT INTO command_fences (command_id, owner_id, delivery) VALUES ('${a}', '${owner}', 2)`;
    const as = (org: string, sql: string) => db.withTenant(org, (tx) => tx.query(sql));
    await expect(as(a, fence(b))).rejects.toThrow(/row-level security/);
    await as(b, fence(b));
    await as(a, fence(a));
    const raise = `UPDATE command_fences SET delivery = 32767 WHERE command_id = '${a}' RETURNING owner_id`;
    expect(await as(a, raise)).toEqual([{ owner_id: a }]);
    await expect(as(a, `UPDATE command_fences SET owner_id = '${b}'`)).rejects.toThrow(/row-level security/);
    expect(await as(a, `SELECT FROM command_fences WHERE command_id = '${a}'`)).toHaveLength(2);
    await expect(as(a, 'DELETE FROM command_fences')).rejects.toThrow('permission denied');
  });

  it('BX-01 views run with the rights of the caller, and the request role may execute no SECURITY DEFINER function', async () => {
    const views = await superuser.query<{ name: string }>(`
      SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'v'
        AND NOT coalesce('security_invoker=true' = ANY (reloptions), false)`);
    expect(views.rows).toEqual([]);
    const definers = await superuser.query<{ name: string }>(`
      SELECT proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef
        AND has_function_privilege('spooled_app', oid, 'EXECUTE')`);
    expect(definers.rows).toEqual([]);
  });

  it('SP-60 raw SQL sees only the rows of its organization, and none without a tenant, also on a reused connection', async () => {
    const [a, b] = [await organization(), await organization()];
    const seen =
      (sql = 'SELECT organization_id AS org FROM queues') =>
      (tx: Pick<Parameters<Parameters<Database['inBatch']>[0]>[0], 'query'>) =>
        tx.query<{ org: string }>(sql).then((rows) => rows.map(({ org }) => org));
    expect(await db.withTenant(a, seen())).toEqual([a]);
    expect(await db.withTenant(b, seen())).toEqual([b]);
    for (let i = 0; i < 4; i++) expect(await db.inBatch(seen())).toEqual([]);
    expect(new Set(await db.asSystem('spec', seen()))).toEqual(new Set([a, b]));
  });

  it('SP-60 writes for another organization are rejected', async () => {
    const [a, b] = [await organization(), await organization()];
    const insert = db.withTenant(a, (tx) =>
      tx.query(`INSERT INTO queues (organization_id, queue_name) VALUES ($1, 'stolen')`, [b]),
    );
    await expect(insert).rejects.toThrow(/row-level security/);
    expect(
      await db.withTenant(a, (tx) =>
        tx.query('UPDATE queues SET first_seen = now() WHERE organization_id = $1 RETURNING 1', [b]),
      ),
    ).toEqual([]);
    expect(
      await db.withTenant(a, (tx) => tx.query('DELETE FROM queues WHERE organization_id = $1 RETURNING 1', [b])),
    ).toEqual([]);
  });

  it('BX-01 does not start as a role that could bypass tenant isolation', async () => {
    await db.verifyServer();
    const unsafe = openConnections({ ...database, appUrl: database.systemUrl }, { maxConnections: 2 });
    await expect(unsafe.verifyServer()).rejects.toThrow('permission denied to set role');
    await unsafe.close();
  });

  it('rolls back the whole transaction when one statement fails, even if its error is ignored', async () => {
    const a = await organization();
    const failing = db.withTenant(a, async (tx) => {
      await tx.query(`INSERT INTO queues (organization_id, queue_name) VALUES ($1, 'half')`, [a]);
      await tx.query('SELECT 1 / 0').catch(() => undefined);
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await db.withTenant(a, (tx) => tx.query(`SELECT FROM queues WHERE queue_name = 'half'`))).toEqual([]);
  });

  it('fails with 503 while PostgreSQL is unavailable and recovers afterwards', async () => {
    const a = await organization();
    const terminated = db.withTenant(a, (tx) => tx.query('SELECT pg_terminate_backend(pg_backend_pid())'));
    await expect(terminated).rejects.toMatchObject({ status: 503, message: 'PostgreSQL is unavailable' });
    await eventually(async () =>
      expect(await db.withTenant(a, (tx) => tx.query('SELECT 1 AS one'))).toEqual([{ one: 1 }]),
    );
  });
});
