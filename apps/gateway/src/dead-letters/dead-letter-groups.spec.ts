import { randomUUID } from 'node:crypto';
import { deadLetterGroupSchemas } from '@spooled/contracts';
import { createTenant, fromNow, useSuperuser, useTenantForEach } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenantForEach(database);
const superuser = useSuperuser(database);

/** A job that fails for good with this error. */
async function die(queue_name: string, error: string, payload: object = {}): Promise<string> {
  const { body } = await gateway.request('POST', '/jobs', tenant.key, { queue_name, payload, max_retries: 0 });
  await gateway.request('POST', '/jobs/claim', tenant.key, { queue_name, worker_id: 'w' });
  await gateway.request('POST', `/jobs/${body.id}/fail`, tenant.key, { worker_id: 'w', error });
  return body.id as string;
}

const list = (query = '', key = tenant.key) => gateway.request('GET', `/jobs/dlq/groups${query}`, key);

describe('groups of dead letters', () => {
  it('BX-06 show cause, size, times, trend and one sample, the largest group first', async () => {
    await die('mail', 'timeout after 10 s');
    const oldest = await die('mail', 'user 17 unknown', { job_type: 'welcome' });
    const newest = await die('mail', 'user 4711 unknown', { job_type: 'welcome' });
    const { status, headers, body } = await list();
    expect([status, headers['x-has-more'], body.length]).toEqual([200, 'false', 2]);
    expect(body[0]).toEqual({
      id: expect.any(String),
      queue_name: 'mail',
      job_type: 'welcome',
      error: 'user # unknown',
      count: 2,
      first_seen: expect.any(String),
      last_seen: body[0].sample.dead_at,
      per_hour: expect.any(Array),
      sample: { job_id: newest, error: 'user 4711 unknown', retry_count: 0, dead_at: expect.any(String) },
    });
    expect(body[0].per_hour).toHaveLength(24);
    expect(body[0].per_hour.reduce((sum: number, n: number) => sum + n)).toBe(2);
    expect(body[1]).toMatchObject({ error: 'timeout after # s', job_type: '', count: 1 });
    expect((await list('?order_by=last_seen')).body.map(({ count }: { count: number }) => count)).toEqual([2, 1]);

    const first = await list('?limit=1');
    expect([first.headers['x-has-more'], first.body]).toEqual(['true', [body[0]]]);
    expect((await list('?limit=1&offset=1')).body).toEqual([body[1]]);

    const group = await gateway.request('GET', `/jobs/dlq/groups/${body[0].id}?limit=1`, tenant.key);
    expect([group.status, group.headers['x-has-more']]).toEqual([200, 'true']);
    expect(group.body).toEqual({
      group: body[0],
      jobs: [expect.objectContaining({ id: newest, status: 'deadletter' })],
    });
    const rest = await gateway.request('GET', `/jobs/dlq/groups/${body[0].id}?limit=1&offset=1`, tenant.key);
    expect([rest.headers['x-has-more'], rest.body.jobs.map(({ id }: { id: string }) => id)]).toEqual([
      'false',
      [oldest],
    ]);
  });

  it('BX-06 BX-25 of a search are counted and listed without the others, and a search that is not understood is refused', async () => {
    const wanted = await die('mail', 'HTTP 500', { order: 4711 });
    await die('mail', 'HTTP 500', { order: 4712 });
    await die('mail', 'HTTP 404', { order: 4712 });
    const ask = (path: string, search: string) =>
      gateway.request('GET', `/jobs/dlq/${path}?${new URLSearchParams({ search })}`, tenant.key);
    const [group, ...others] = (await ask('groups', 'payload.order=4711 created:<1h')).body;
    expect([group.count, group.sample.job_id, others]).toEqual([1, wanted, []]);
    expect(group.per_hour.reduce((sum: number, n: number) => sum + n)).toBe(1);
    const { body: causes } = await ask('causes', 'payload.order=4711');
    expect(causes.causes).toMatchObject([{ count: 1, last_hour: 1, types: [{ group_id: group.id, count: 1 }] }]);
    const { body: details } = await ask(`groups/${group.id}`, 'payload.order=4711');
    expect([details.group, details.jobs.map(({ id }: { id: string }) => id)]).toEqual([group, [wanted]]);
    expect((await ask(`groups/${group.id}`, 'payload.order=1')).status).toBe(404);
    for (const path of ['groups', 'causes', `groups/${group.id}`]) {
      for (const search of ['ordr:4711', 'payload.order', 'status:completed', '""', 'error~" "']) {
        const { status, body } = await ask(path, search);
        expect([path, search, status, Object.keys(body.details)]).toEqual([path, search, 400, ['search']]);
      }
    }
    expect((await ask('groups', ' ')).body).toHaveLength(2);
  });

  it('BX-06 of a search compare records only where queues, types and keys do not decide, and name the search that takes too long', async () => {
    await die('mail', 'HTTP 500');
    const [{ id }] = (await list()).body;
    const { rows } = await superuser.query<{ definition: string }>(
      `SELECT pg_get_functiondef('job_meets_terms_v1'::regproc) AS definition`,
    );
    const { definition } = rows[0]!;
    const lists = ['groups', 'causes', `groups/${id}`];
    /** One after another: an organization has one search at a time, and one that waits for 5 s is refused. */
    const ask = async (search: string) => {
      const query = new URLSearchParams({ search });
      const responses = [];
      for (const path of lists) responses.push(await gateway.request('GET', `/jobs/dlq/${path}?${query}`, tenant.key));
      return [...responses, await gateway.request('POST', '/jobs/dlq/replays', tenant.key, { search, dry_run: true })];
    };
    try {
      await superuser.query(
        definition.replace(/\nBEGIN\n/, `\nBEGIN\n  RAISE EXCEPTION 'slow' USING ERRCODE = 'query_canceled';\n`),
      );
      for (const search of ['queue:bills HTTP', 'type:invoice HTTP', 'key:order-1 HTTP']) {
        const [groups, causes, group, replay] = await ask(search);
        expect([search, groups?.body, causes?.body.causes, group?.status]).toEqual([search, [], [], 404]);
        expect(replay?.body).toMatchObject({ count: 0 });
      }
      for (const { status, body } of await ask('queue:mail error~HTTP')) {
        expect([status, body.details]).toEqual([400, { search: expect.stringContaining('narrow them by queue:') }]);
      }
    } finally {
      await superuser.query(definition);
    }
    expect((await ask('queue:mail error~HTTP')).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('BX-06 show a scoped key its queues only, and nobody the groups of another organization', async () => {
    await die('mail', 'broken');
    await die('bills', 'broken');
    const scoped = await tenant.keyFor('mail');
    const [mail, bills] = ['mail', 'bills'].map(async (queue) => (await list(`?queue_name=${queue}`)).body[0].id);
    expect((await list('', scoped)).body.map(({ queue_name }: { queue_name: string }) => queue_name)).toEqual(['mail']);
    expect((await list('?queue_name=bills', scoped)).body).toEqual([]);
    const statusOf = async (id: string, key: string) =>
      (await gateway.request('GET', `/jobs/dlq/groups/${id}`, key)).status;
    expect(await statusOf(await mail!, scoped)).toBe(200);
    expect(await statusOf(await bills!, scoped)).toBe(404);
    expect(await statusOf(randomUUID(), tenant.key)).toBe(404);
    const other = await createTenant(database.superuserUrl);
    expect((await list('', other.key)).body).toEqual([]);
    expect(await statusOf(await mail!, other.key)).toBe(404);
  });
});

describe('causes of dead letters', () => {
  const causes = async (query = '', key = tenant.key): Promise<deadLetterGroupSchemas.DeadLetterCauses> => {
    const { status, body } = await gateway.request('GET', `/jobs/dlq/causes${query}`, key);
    expect([status, body]).toEqual([200, body]);
    return deadLetterGroupSchemas.deadLetterCauses.parse(body);
  };
  const count = async (body: object): Promise<number> => {
    const { body: answer } = await gateway.request('POST', '/jobs/dlq/replays', tenant.key, { ...body, dry_run: true });
    return answer.count as number;
  };

  it('BX-06 join the groups of one error over queues and types, with sums and the largest groups', async () => {
    for (const id of ['17', '4711']) await die('mail', `user ${id} unknown`, { job_type: 'welcome' });
    await die('bills', 'user 5 unknown', { job_type: 'invoice' });
    await die('bills', 'HTTP 500', { job_type: 'invoice' });
    await die('bills', 'HTTP 404', { job_type: 'invoice' });
    const { causes: found, more, groups_left } = await causes();
    expect([found.map(({ error }) => error), more, groups_left]).toEqual([
      ['user # unknown', expect.any(String), expect.any(String)],
      0,
      0,
    ]);
    const [unknown] = found;
    expect(unknown).toMatchObject({ count: 3, last_hour: 3, groups: 2, queues: 2 });
    expect(unknown!.types.map(({ group_id: _, ...type }) => type)).toEqual([
      { queue_name: 'mail', job_type: 'welcome', count: 2 },
      { queue_name: 'bills', job_type: 'invoice', count: 1 },
    ]);
    const groups = (await list()).body as { id: string; first_seen: string }[];
    expect(groups.map(({ id }) => id)).toEqual(expect.arrayContaining(unknown!.types.map(({ group_id }) => group_id)));
    expect((await causes('?order_by=first_seen')).causes.map(({ error }) => error)).toEqual([
      'HTTP 404',
      'HTTP 500',
      'user # unknown',
    ]);
    expect((await causes('?queue_name=bills')).causes.map((one) => one.count)).toEqual([1, 1, 1]);
  });

  it('BX-06 what is listed for a cause is what is counted and replayed, and nothing of a longer error', async () => {
    await die('mail', 'Timeout', { job_type: 'a' });
    await die('bills', 'Timeout', { job_type: 'b' });
    await die('bills', 'Timeout of the mail server', { job_type: 'b' });
    const { causes: found } = await causes();
    const { id, count: dead } = found.find(({ error }) => error === 'Timeout')!;
    expect(dead).toBe(2);
    const groups = (await list(`?cause_id=${id}`)).body as { error: string; count: number }[];
    expect(groups.map((group) => [group.error, group.count])).toEqual([
      ['Timeout', 1],
      ['Timeout', 1],
    ]);
    expect([
      await count({ cause_id: id }),
      await count({ cause: 'timeout' }),
      await count({ cause_id: randomUUID() }),
    ]).toEqual([2, 3, 0]);
    expect(await count({ cause_id: id, queue_name: 'mail' })).toBe(1);
    expect((await causes(`?cause_id=${id}`)).causes).toMatchObject([{ id, count: 2 }]);
    expect((await list('?cause_id=timeout')).status).toBeGreaterThanOrEqual(400);
  });

  it('BX-06 are muted until a time for a reason, stay listed and counted, and are unmuted', async () => {
    await die('mail', 'HTTP 500');
    const cause = async () => (await causes()).causes[0]!;
    const { id, muted } = await cause();
    expect(muted).toBeNull();
    const path = `/jobs/dlq/causes/${id}/mute`;
    const mute = (body: object, key = tenant.key) => gateway.request('PUT', path, key, body);
    const { status, body } = await mute({ reason: 'known', expires_in_seconds: 60 });
    expect([status, body]).toMatchObject([
      200,
      { cause_id: id, error: 'HTTP 500', reason: 'known', created_by: { kind: 'key' } },
    ]);
    const { cause_id: _, error: __, ...held } = body as { cause_id: string; error: string; expires_at: string };
    expect(await cause()).toMatchObject({ count: 1, last_hour: 1, muted: held });
    const longer = (await mute({ reason: 'fixed on Monday', expires_in_seconds: 3_600 })).body;
    expect(Date.parse(longer.expires_at as string)).toBeGreaterThan(Date.parse(held.expires_at));
    const mutes = async () => (await gateway.request('GET', '/jobs/dlq/mutes', tenant.key)).body.mutes as object[];
    expect(await mutes()).toEqual([longer]);
    const unmute = () => gateway.request('DELETE', path, tenant.key);
    expect([(await unmute()).status, (await unmute()).status]).toEqual([204, 404]);
    expect([(await cause()).muted, await mutes()]).toEqual([null, []]);
    await mute({ reason: 'known', expires_in_seconds: 60 });
    await superuser.query(`UPDATE cause_mutes SET expires_at = now() WHERE organization_id = $1`, [
      tenant.organizationId,
    ]);
    expect([(await cause()).muted, await mutes(), (await unmute()).status]).toEqual([null, [], 404]);
  });

  it('BX-06 BX-01 are muted by operators of all queues, with a reason and an end, and only where they exist', async () => {
    await die('mail', 'HTTP 500');
    const { id } = (await causes()).causes[0]!;
    const body = { reason: 'known', expires_in_seconds: 60 };
    const statusOf = async (more: object, key = tenant.key, cause = id) =>
      (await gateway.request('PUT', `/jobs/dlq/causes/${cause}/mute`, key, { ...body, ...more })).status;
    for (const wrong of [
      { reason: '' },
      { reason: undefined },
      { expires_in_seconds: undefined },
      { expires_in_seconds: 30 * 86_400 + 1 },
      { expires_at: '2030-01-01T00:00:00Z' },
    ])
      expect([wrong, [400, 422].includes(await statusOf(wrong))]).toEqual([wrong, true]);
    expect([await statusOf({}, tenant.key, randomUUID()), await statusOf({}, tenant.key, 'x')]).toEqual([404, 404]);
    const scoped = await tenant.keyFor('mail');
    expect(await statusOf({}, scoped)).toBe(403);
    expect((await gateway.request('GET', '/jobs/dlq/mutes', scoped)).status).toBe(403);
    const other = await createTenant(database.superuserUrl);
    expect(await statusOf({}, other.key)).toBe(404);
    expect(await statusOf({})).toBe(200);
    expect((await gateway.request('DELETE', `/jobs/dlq/causes/${id}/mute`, other.key)).status).toBe(404);
    await superuser.query(
      `INSERT INTO cause_mutes (organization_id, cause_id, error, reason, expires_at)
       SELECT $1, uuidv7(), '', 'known', now() + interval '1 day' FROM generate_series(1, 200)`,
      [tenant.organizationId],
    );
    expect(await statusOf({})).toBe(409);
  });

  it('BX-06 BX-01 show a scoped key its queues only, and nobody the causes of another organization', async () => {
    await die('mail', 'broken');
    await die('bills', 'broken');
    const [all] = (await causes()).causes;
    const [own] = (await causes('', await tenant.keyFor('mail'))).causes;
    expect([all!.count, own!.count, own!.id]).toEqual([2, 1, all!.id]);
    expect(own!.types).toMatchObject([{ queue_name: 'mail' }]);
    const other = await createTenant(database.superuserUrl);
    expect((await causes('', other.key)).causes).toEqual([]);
    expect((await list(`?cause_id=${all!.id}`, other.key)).body).toEqual([]);
  });
});

it('a purge takes what is older than each of its times', async () => {
  const id = await die('mail', 'HTTP 500');
  await superuser.query(`UPDATE dead_letters SET created_at = created_at - interval '36 hours' WHERE job_id = $1`, [
    id,
  ]);
  const purge = async (times: object) =>
    (await gateway.request('POST', '/jobs/dlq/purge', tenant.key, { ...times, confirm: true })).body.purged_count;
  const [older_than, recent] = ['2100-01-01T00:00:00Z', fromNow(-50 * 3_600_000).toISOString()];
  expect(await purge({ older_than, older_than_days: 2 })).toBe(0);
  expect(await purge({ older_than: recent, older_than_days: 1 })).toBe(0);
  expect(await purge({ older_than, older_than_days: 1 })).toBe(1);
});
