import { randomUUID } from 'node:crypto';
import { countReads, useConnections, useDatabase, useSuperuser } from '@spooled/testing';
import { listDeliveries } from './outgoing-webhook.repository.js';
const testDatabase = useDatabase();
// One connection, so that its statistics can be flushed.
const db = useConnections(testDatabase, { maxConnections: 1 });
const superuser = useSuperuser(testDatabase);
const org = randomUUID();
const webhook = randomUUID();

beforeAll(async () => {
  await superuser.query(`INSERT INTO organizations (id, name, slug) VALUES ($1, 'Spec', 'spec')`, [org]);
  await superuser.query(
    `INSERT INTO outgoing_webhooks (id, organization_id, name, url, events) VALUES ($1, $2, 'Spec', 'https://example.com', '{job.completed}')`,
    [webhook, org],
  );
  await superuser.query(
    `INSERT INTO webhook_deliveries (organization_id, webhook_id, event, payload, status, next_attempt_at, created_at)
     SELECT $1, $2, 'job.completed', '{}', CASE WHEN n > 19998 THEN 'failed' ELSE 'success' END, NULL, now() - make_interval(secs => n)
     FROM generate_series(1, 20000) AS n`,
    [org, webhook],
  );
  await superuser.query('VACUUM (ANALYZE) webhook_deliveries');
});

const list = (status: 'failed' | 'pending') =>
  db.withTenant(org, (tx) => listDeliveries(tx, webhook, { statuses: [status], limit: 50, offset: 0, after: null }));

async function counted(): Promise<number> {
  const { fetched, sequential } = await countReads(db, superuser, { tables: 'webhook_deliveries' });
  return fetched + sequential;
}

describe('deliveries of a webhook', () => {
  it.each([
    ['failed', 2],
    ['pending', 0],
  ] as const)('SP-63 that are %s are found without reading those that arrived', async (status, number) => {
    const before = await counted();
    expect((await list(status)).rows).toHaveLength(number);
    expect((await counted()) - before).toBeLessThan(10);
  });
});
