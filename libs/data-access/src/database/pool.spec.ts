import { createTenant, createTestDatabase, openConnections } from '@spooled/testing';
import pg from 'pg';

describe('the pool', () => {
  it('MQ-01 opens no more connections than it may, and its gauge counts those in use', async () => {
    const stores = await createTestDatabase();
    const database = openConnections({ appUrl: stores.appUrl }, { maxConnections: 2 });
    // One organization alone would get one of the two connections.
    const tenants = await Promise.all([createTenant(stores.superuserUrl), createTenant(stores.superuserUrl)]);
    const observer = new pg.Client({ connectionString: stores.superuserUrl });
    await observer.connect();
    const counted = `SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'spec'`;
    const load = Promise.all(
      Array.from({ length: 24 }, (_, i) => tenants[i % 2]!).map(({ organizationId }) =>
        database.withTenant(organizationId, (tx) => tx.query('SELECT pg_sleep(0.2)')),
      ),
    );
    const seen: { open: number; active: number }[] = [];
    let done = false;
    void load.finally(() => (done = true));
    while (!done) {
      const { rows } = await observer.query<{ open: number }>(counted);
      seen.push({ open: rows[0]!.open, active: database.activeConnections });
    }
    await load;
    await Promise.all([observer.end(), database.close()]);
    await stores.drop();
    expect(Math.max(...seen.map(({ open }) => open))).toBe(2);
    expect(Math.max(...seen.map(({ active }) => active))).toBe(2);
  });
});
