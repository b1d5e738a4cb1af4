import { useSuperuser, useTenantForEach } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenantForEach(database);
const superuser = useSuperuser(database);

/** A webhook with as many deliveries of 1 MB as two pages hold, and some small ones. */
async function webhookWithDeliveries(): Promise<string> {
  const webhook = { name: 'a', url: 'https://example.com', events: ['job.completed'] };
  const { body } = await gateway.request('POST', '/outgoing-webhooks', tenant.key, webhook);
  await superuser.query(
    `INSERT INTO webhook_deliveries (organization_id, webhook_id, event, payload, status, next_attempt_at, created_at)
     SELECT $1, $2, 'job.completed', json_build_object('result', repeat('x', CASE WHEN n > 15 THEN 1 ELSE 1000000 END)),
       CASE WHEN n % 2 = 0 THEN 'failed' ELSE 'success' END, NULL, now() - make_interval(secs => n)
     FROM generate_series(1, 20) AS n`,
    [tenant.organizationId, body.id],
  );
  return body.id as string;
}

/** Schedules with as many templates, tags and metadata of 1 MB together as two pages hold, and some small ones. */
async function largeSchedules(): Promise<void> {
  await superuser.query(
    `INSERT INTO schedules (id, organization_id, name, cron_expression, queue_name, payload_template, tags, metadata, is_active, created_at)
     SELECT uuidv7(), $1, 'ñ…', '0 0 1 1 *', 'mail', json_build_object('text', repeat('x', CASE WHEN n > 15 THEN 1 ELSE 900000 END)),
       to_jsonb(repeat('x', CASE WHEN n > 15 THEN 1 ELSE 50000 END)), to_jsonb(repeat('x', CASE WHEN n > 15 THEN 1 ELSE 50000 END)),
       n % 2 = 0, now() - make_interval(secs => n)
     FROM generate_series(1, 20) AS n`,
    [tenant.organizationId],
  );
}

async function pages(path: string): Promise<number[]> {
  const sizes: number[] = [];
  const ids = new Set<string>();
  for (let cursor = ''; ;) {
    const { status, headers, body } = await gateway.request('GET', `${path}&${cursor}`, tenant.key);
    expect(status).toBe(200);
    for (const { id } of body as { id: string }[]) ids.add(id);
    sizes.push(body.length);
    const next = headers['x-next-cursor'];
    expect(headers['x-has-more']).toBe(String(next !== undefined));
    if (next === undefined) break;
    cursor = `after=${String(next)}`;
  }
  expect(ids.size).toBe(sizes.reduce((sum, size) => sum + size));
  return sizes;
}

/** Callers that count on after a short page would pass over the rest of it. */
async function expectOffsetsRefused(path: string): Promise<void> {
  for (const offset of [1, 12, 100]) {
    const { status, body } = await gateway.request('GET', `${path}?limit=100&offset=${offset}`, tenant.key);
    expect([status, body.details]).toEqual([
      400,
      { offset: expect.stringContaining('continue with `after`') as string },
    ]);
  }
  expect((await gateway.request('GET', `${path}?limit=5&offset=12`, tenant.key)).body).toHaveLength(5);
}

it('SP-91 a page of deliveries ends after 8 MB of payloads, and its cursor leads to the others', async () => {
  const path = `/outgoing-webhooks/${await webhookWithDeliveries()}/deliveries`;
  expect(await pages(`${path}?limit=100`)).toEqual([9, 11]);
  expect(await pages(`${path}?limit=100&status=success,failed`)).toEqual([9, 11]);
  expect(await pages(`${path}?limit=5`)).toEqual([5, 5, 5, 5]);
  await expectOffsetsRefused(path);
});

it('SP-91 a page of schedules ends after 8 MB of documents, and its cursor leads to the others', async () => {
  await largeSchedules();
  expect(await pages('/schedules?limit=500')).toEqual([9, 11]);
  expect(await pages('/schedules?limit=9')).toEqual([9, 9, 2]);
  expect(await pages('/schedules?limit=5&queue_name=mail')).toEqual([5, 5, 5, 5]);
  expect(await pages('/schedules?limit=500&is_active=true')).toEqual([10]);
  await expectOffsetsRefused('/schedules');
});
