import { createTenant, createTestDatabase, openConnections, type TestDatabase } from '@spooled/testing';
import pg from 'pg';
import type { Database } from '../database/database.js';
import { changeOrganization, findOrganization } from '../organizations/organization.repository.js';

let stores: TestDatabase;
let database: Database;

const open = (appUrl: string) => openConnections({ appUrl }, { maxConnections: 2 });

beforeAll(async () => {
  stores = await createTestDatabase();
  database = open(stores.appUrl);
});
afterAll(async () => {
  await database?.close();
  await stores?.drop();
});

describe('withTenantModels', () => {
  it('SP-60 returns only rows of the own organization, also in concurrent transactions', async () => {
    const tenants = await Promise.all(Array.from({ length: 12 }, () => createTenant(stores.superuserUrl)));
    const seen = await Promise.all(
      tenants.map(({ organizationId }) =>
        database.withTenantModels(organizationId, async (models) => [
          (await models.organization.findMany()).map(({ id }) => id),
          (await models.apiKey.findMany()).map((key) => key.organization_id),
        ]),
      ),
    );
    expect(seen).toEqual(tenants.map(({ organizationId }) => [[organizationId], [organizationId]]));
  });

  it('SP-60 keeps organizationId until the end of the transaction, also with concurrent transactions', async () => {
    const tenants = await Promise.all(Array.from({ length: 12 }, () => createTenant(stores.superuserUrl)));
    const found = await Promise.all(
      tenants.map(({ organizationId }) =>
        database.withTenantModels(organizationId, async (models) => {
          const before = models.organizationId;
          const organization = await findOrganization(models);
          return [before, organization?.id, models.organizationId];
        }),
      ),
    );
    expect(found).toEqual(tenants.map(({ organizationId }) => Array.from({ length: 3 }, () => organizationId)));
  });

  it('SP-60 writes nothing for another organization', async () => {
    const [mine, theirs] = await Promise.all([createTenant(stores.superuserUrl), createTenant(stores.superuserUrl)]);
    const change = await database.withTenantModels(mine.organizationId, (models) =>
      models.organization.updateMany({ where: { id: theirs.organizationId }, data: { name: 'Stolen' } }),
    );
    expect(change.count).toBe(0);
    const insert = database.withTenantModels(mine.organizationId, (models) =>
      models.apiKey.create({
        data: { organization_id: theirs.organizationId, name: 'x', key_prefix: 'x', key_digest: 'x', key_lookup: 'x' },
      }),
    );
    await expect(insert).rejects.toThrow(/row-level security/);
  });

  it('rolls back when the work fails', async () => {
    const { organizationId } = await createTenant(stores.superuserUrl);
    const failed = database.withTenantModels(organizationId, async (models) => {
      await models.organization.update({ where: { id: organizationId }, data: { name: 'Half done' } });
      throw new Error('work failed');
    });
    await expect(failed).rejects.toThrow('work failed');
    expect((await database.withTenantModels(organizationId, findOrganization))?.name).toBe('Spec');
  });

  it('reports a duplicate as 409', async () => {
    const [one, two] = await Promise.all([createTenant(stores.superuserUrl), createTenant(stores.superuserUrl)]);
    const [first, second] = [one, two].map(
      ({ organizationId }) =>
        () =>
          database.withTenantModels(organizationId, (models) =>
            changeOrganization(models, { billing_email: 'both@example.com' }),
          ),
    );
    await first!();
    await expect(second!()).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
  });

  it('MQ-01 opens no additional connections: models and statements share the pool and its gauge', async () => {
    // One organization alone would get one of the two connections.
    const tenants = await Promise.all([createTenant(stores.superuserUrl), createTenant(stores.superuserUrl)]);
    const observer = new pg.Client({ connectionString: stores.superuserUrl });
    await observer.connect();
    const counted = `SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'spec'`;
    const hold = 'SELECT pg_sleep(0.2)::text';
    const load = Promise.all(
      Array.from({ length: 12 }, (_, i) => tenants[i % 2]!).flatMap(({ organizationId }) => [
        database.withTenantModels(organizationId, (models) => models.$queryRawUnsafe(hold)),
        database.withTenant(organizationId, (tx) => tx.query(hold)),
      ]),
    );
    const seen: { open: number; active: number }[] = [];
    let done = false;
    void load.finally(() => (done = true));
    while (!done) {
      const { rows } = await observer.query<{ open: number }>(counted);
      seen.push({ open: rows[0]!.open, active: database.activeConnections });
    }
    await load;
    await observer.end();
    expect(Math.max(...seen.map(({ open }) => open))).toBe(2);
    expect(Math.max(...seen.map(({ active }) => active))).toBe(2);
  });

  it('fails with 503 that names PostgreSQL when it is unreachable', async () => {
    const unreachable = open('postgresql://spooled_app@127.0.0.1:1/none');
    const result = unreachable.withTenantModels('01890000-0000-7000-8000-000000000001', findOrganization);
    await expect(result).rejects.toMatchObject({ status: 503, message: 'PostgreSQL is unavailable' });
    await unreachable.close();
  });
});
