import { randomBytes } from 'node:crypto';
import { Database, isLockHeld, recordIsolation, withAdvisoryLock } from '@spooled/data-access';
import { createTestDatabase, serverUrl, type TestDatabase } from '@spooled/testing';
import pg from 'pg';
import { endsAs, startWorker } from './embedded.fixture.js';
import { EmbeddedSpooled, migrate } from './index.js';

/** Roles belong to the server, which other specs use too. One name is a reserved word of SQL. */
const shop = `shop_${randomBytes(4).toString('hex')}`;
const user = 'user';
const password = 'of-this-installation';

describe('BX-18 installations in schemas of their own, beside tables of the application', () => {
  let database: TestDatabase;
  let other: TestDatabase;
  const opened: EmbeddedSpooled[] = [];
  beforeAll(async () => {
    [database, other] = await Promise.all([createTestDatabase({ empty: true }), createTestDatabase({ empty: true })]);
    await asSuperuser(
      `CREATE SCHEMA application; CREATE TABLE public.jobs (id int); CREATE TABLE application.jobs (id int);
       CREATE TABLE public.organizations (slug text); GRANT ALL ON public.jobs TO PUBLIC;
       ALTER DATABASE ${database.name} SET search_path = public, application`,
    );
    const options = { grantRoles: true, appPassword: password };
    await migrate({ ...options, adminUrl: database.ownerUrl, schema: shop });
    // Both change the same roles.
    const both = [database, other].map(({ ownerUrl }) => migrate({ ...options, adminUrl: ownerUrl, schema: user }));
    await Promise.all(both);
  });
  afterAll(async () => {
    await Promise.all(opened.map((spooled) => spooled.close(0)));
    await Promise.all([database, other].map((one) => one?.drop()));
    await query(serverUrl(), `DROP ROLE ${shop}_app, ${shop}_system, user_app, user_system`);
  });

  const asSuperuser = (sql: string) => query(database.superuserUrl, sql);

  async function open(schema: string, databaseUrl = database.ownerUrl): Promise<EmbeddedSpooled> {
    const spooled = await EmbeddedSpooled.open({ databaseUrl, schema, organization: 'acme', createOrganization: true });
    opened.push(spooled);
    return spooled;
  }

  it('run the jobs of their own, also of a transaction of the application', async () => {
    const [one, two] = [await open(shop), await open(user)];
    const errors: unknown[] = [];
    for (const spooled of [one, two]) spooled.on('error', (error) => errors.push(error));
    const client = new pg.Client({ connectionString: database.ownerUrl });
    await client.connect();
    // PostgreSQL looks into temporary tables first, unless the search path says otherwise.
    await client.query('BEGIN; CREATE TEMPORARY TABLE job_queue (id int) ON COMMIT DROP');
    const { id } = await one.jobs.create({ queueName: 'mail', payload: 1 }, { tx: client });
    await client.query('INSERT INTO jobs VALUES (1)');
    await client.query('COMMIT');
    await client.end();
    const second = await two.jobs.create({ queueName: 'mail', payload: 2 });
    await expect(two.jobs.get(id)).rejects.toThrow('not found');
    await Promise.all([one, two].map((spooled, n) => startWorker(spooled, { mail: ({ payload }) => [n, payload] })));
    await endsAs(one, id, { status: 'completed', result: [0, 1] });
    await endsAs(two, second.id, { status: 'completed', result: [1, 2] });
    await Promise.all([one, two].map((spooled) => spooled.runTasks()));
    expect(errors).toEqual([]);
    expect(await asSuperuser('SELECT id FROM public.jobs')).toEqual([{ id: 1 }]);
    expect(await asSuperuser('SELECT FROM public.organizations')).toEqual([]);
  });

  it('keep their roles out of each other, and of the other database', async () => {
    const url = loginOf(`${shop}_app`);
    expect(await query(url, 'SELECT current_schemas(false)::text[] AS path')).toEqual([{ path: [shop] }]);
    await expect(query(url, 'SELECT FROM "user".jobs')).rejects.toThrow('permission denied for schema user');
    await expect(query(url, `SET ROLE user_app`)).rejects.toThrow('permission denied to set role');
    const definers = await asSuperuser(
      `SELECT DISTINCT pronamespace::regnamespace::text AS schema, proconfig::text AS config FROM pg_proc
       WHERE prosecdef AND pronamespace <> 'pg_catalog'::regnamespace ORDER BY 1`,
    );
    expect(definers).toEqual([
      { schema: '"user"', config: '{"search_path=\\"user\\", pg_temp"}' },
      { schema: shop, config: `{"search_path=${shop}, pg_temp"}` },
    ]);
    await expect(open(shop, loginOf(`${shop}_app`, other))).rejects.toThrow(
      `Role "${shop}_app" finds no schema "${shop}" in database "${other.name}": migrate this database with the schema`,
    );
  });

  it('have locks of their own, and are isolated by the checks of this release', async () => {
    const [one, two] = [shop, user].map(
      (schema) => new Database({ schema, appUrl: database.superuserUrl, ...connections }),
    ) as [Database, Database];
    const held = withAdvisoryLock(one, 'scheduler', () =>
      Promise.all([one, two].map((each) => isLockHeld(each, 'scheduler'))),
    );
    expect(await held).toEqual([true, false]);
    const check = (await recordIsolation(two, 'spec'))!;
    expect([check.tables_checked > 20, check.findings]).toEqual([true, []]);
    await Promise.all([one.close(), two.close()]);
  });

  it.each(['spooled', 'Shop', 'a"b', "a'b", 'a b', 'pg_shop', 'information_schema', '', 'a'.repeat(41)])(
    'refuses the name %j',
    async (schema) => {
      await expect(migrate({ adminUrl: database.ownerUrl, schema })).rejects.toThrow(/^schema: /);
      await expect(open(schema)).rejects.toThrow(/^schema: /);
    },
  );

  it('refuses a schema that has tables of the application, and creates nothing there', async () => {
    await asSuperuser('GRANT ALL ON SCHEMA application TO PUBLIC');
    await expect(migrate({ adminUrl: database.superuserUrl, schema: 'application' })).rejects.toThrow(
      'The schema "application" has objects of another application (jobs): choose the name of a schema that is empty',
    );
    expect(await asSuperuser(`SELECT FROM pg_roles WHERE rolname = 'application_app'`)).toEqual([]);
  });

  it('refuses a schema that has functions of the application', async () => {
    await asSuperuser('CREATE SCHEMA helpers; CREATE FUNCTION helpers.current_ts() RETURNS int LANGUAGE sql RETURN 1');
    await expect(migrate({ adminUrl: database.superuserUrl, schema: 'helpers' })).rejects.toThrow(
      'The schema "helpers" has objects of another application (current_ts): choose',
    );
  });

  it.each([
    [
      'owns objects',
      (role: string) => `CREATE TABLE public.of_${role} (); ALTER TABLE public.of_${role} OWNER TO ${role}`,
    ],
    ['has rights', (role: string) => `GRANT SELECT ON public.jobs TO ${role}`],
  ])('refuses the name of a role of the application that %s, and leaves it as it is', async (_, useOf) => {
    const schema = `crm_${randomBytes(4).toString('hex')}`;
    const role = `${schema}_app`;
    await asSuperuser(`CREATE ROLE ${role} LOGIN; ${useOf(role)}`);
    await expect(migrate({ adminUrl: database.superuserUrl, schema })).rejects.toThrow(
      `Role "${role}" is used by an application: choose another name for the schema`,
    );
    expect(await asSuperuser(`SELECT FROM pg_db_role_setting WHERE setrole = '${role}'::regrole`)).toEqual([]);
    await asSuperuser(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  it('migrates again, also over roles that were created before', async () => {
    const schema = `crm_${randomBytes(4).toString('hex')}`;
    await asSuperuser(
      `CREATE ROLE ${schema}_app LOGIN; CREATE ROLE ${schema}_system LOGIN; GRANT CONNECT ON DATABASE ${database.name} TO ${schema}_app`,
    );
    const run = () => migrate({ adminUrl: database.superuserUrl, schema });
    expect((await run()).applied).not.toEqual([]);
    expect((await run()).applied).toEqual([]);
    await asSuperuser(
      `DROP SCHEMA ${schema} CASCADE; DROP OWNED BY ${schema}_app, ${schema}_system; DROP ROLE ${schema}_app, ${schema}_system`,
    );
  });

  it('says in one sentence that a database was migrated with another schema', async () => {
    await expect(open('elsewhere')).rejects.toThrow(/^A role of the services is missing at .*"elsewhere_app"/);
  });

  function loginOf(role: string, { superuserUrl } = database): string {
    const url = new URL(superuserUrl);
    [url.username, url.password] = [role, password];
    return url.href;
  }
});

const connections = {
  applicationName: 'spec',
  maxConnections: 2,
  minConnections: 0,
  acquireTimeoutMs: 20_000,
  // As in `openConnections`.
  queryTimeoutMs: 20_000,
  onError: () => undefined,
};

async function query(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows ?? [];
  } finally {
    await client.end();
  }
}
