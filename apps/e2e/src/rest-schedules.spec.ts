import { randomUUID } from 'node:crypto';
import { createTenant, fromNow } from '@spooled/testing';
import { newQueue } from './job-steps.js';
import { aTime, anId, problem, RestCaller, type RestResponse } from './rest-caller.js';
import { createSchedule, newLimitedCaller, newSchedule, outcomeOf, quotaExceeded } from './schedule-steps.js';
import { useRest } from './use-rest.js';

const { stack, tenant, rest } = useRest();

const reason = expect.any(String) as unknown as string;
const get = async (id: string) => (await rest.get(`/schedules/${id}`)).body;
const nextYear = (time: string) => `${fromNow(0).getUTCFullYear() + 1}-${time}`;
/** Compares times as instants: PostgreSQL and callers format them differently. */
const moment = (text: string) => new Date(text).toISOString();

describe('a schedule', () => {
  it('MQ-04 is created with its next run time, given values and defaults', async () => {
    const input = newSchedule({ timezone: 'Europe/Berlin', cron_expression: '0  4 1 1 *' });
    const created = await rest.post('/schedules', input);
    expect(outcomeOf(created)).toEqual({
      status: 201,
      body: { id: anId, name: input.name, cron_expression: '0  4 1 1 *', next_run_at: aTime },
    });
    expect(moment(created.body.next_run_at)).toBe(nextYear('01-01T03:00:00.000Z'));
    expect(outcomeOf(await rest.get(`/schedules/${created.body.id}`))).toEqual({
      status: 200,
      body: {
        ...input,
        id: created.body.id,
        organization_id: tenant.organizationId,
        description: null,
        priority: 0,
        max_retries: 3,
        timeout_seconds: 300,
        is_active: true,
        last_run_at: null,
        next_run_at: created.body.next_run_at,
        run_count: 0,
        tags: null,
        metadata: null,
        callback_url: null,
        callback_header_names: [],
        callback_timeout_seconds: null,
        backoff: null,
        created_at: aTime,
        updated_at: aTime,
      },
    });
  });

  it('accepts six fields, offsets and every setting', async () => {
    const all = {
      description: 'd',
      cron_expression: '30 0 4 1 1 *',
      timezone: '+05:30',
      priority: -100,
      max_retries: 0,
      timeout_seconds: 86_400,
      tags: ['a'],
      metadata: { owner: { camelCase: true } },
    };
    const id = await createSchedule(rest, all);
    const { next_run_at: next, ...shown } = await get(id);
    expect(shown).toMatchObject(all);
    expect(moment(next)).toBe(`${nextYear('')}`.replace(/^(\d+)-$/, (_, year) => `${year - 1}-12-31T22:30:30.000Z`));
  });

  it('names invalid fields', async () => {
    const post = (more: object) => rest.post('/schedules', newSchedule(more));
    const field = (name: string, status = 400) => ({ status, code: 'VALIDATION_ERROR', details: { [name]: reason } });
    expect(problem(await post({ name: '' }))).toEqual(field('name'));
    expect(problem(await post({ name: 'x'.repeat(256) }))).toEqual(field('name'));
    expect(problem(await post({ description: 'x'.repeat(1001) }))).toEqual(field('description'));
    expect(problem(await post({ cron_expression: '* * * *' }))).toEqual(field('cron_expression'));
    expect(problem(await post({ queue_name: '' }))).toEqual(field('queue_name'));
    expect(problem(await post({ queue_name: undefined }))).toEqual(field('queue_name', 422));
    expect(problem(await post({ payload_template: undefined }))).toEqual(field('payload_template', 422));
    expect(problem(await post({ payload_template: null }))).toEqual(field('payload_template', 422));
    expect(problem(await post({ priority: 101 }))).toEqual(field('priority'));
    expect(problem(await post({ max_retries: '3' }))).toEqual(field('max_retries', 422));
    expect(problem(await post({ timeout_seconds: 0 }))).toEqual(field('timeout_seconds'));
    expect(problem(await post({ tags: 'x'.repeat(66_000) }))).toEqual(field('tags'));
    expect(problem(await rest.post('/schedules'))).toMatchObject({ status: 400, code: 'INVALID_JSON' });
    const large = await post({ payload_template: 'x'.repeat(1_048_577) });
    expect(large).toMatchObject({ status: 413, body: { error: 'payload_too_large', limit: 1_048_576 } });
  });

  it('requires a valid expression and time zone', async () => {
    const bad = [
      { cron_expression: '61 * * * *' },
      { cron_expression: '*/0 * * * *' },
      { cron_expression: '* * * * * * *' },
      { cron_expression: 'not a cron at all' },
      { timezone: 'Mars/Olympus' },
      { timezone: '+25:00' },
    ];
    for (const more of bad) {
      const response = await rest.post('/schedules', newSchedule(more));
      expect([more, response.status, response.body.code]).toEqual([more, 400, 'BAD_REQUEST']);
      expect(response.body.message).toContain('cron');
    }
  });

  it('changes only the given fields; null clears optional ones', async () => {
    const id = await createSchedule(rest, { description: 'd', tags: { a: 1 }, metadata: { b: 2 } });
    const before = await get(id);
    const renamed = await rest.put(`/schedules/${id}`, { name: 'Other', priority: 5, tags: null, queue_name: null });
    expect(outcomeOf(renamed)).toEqual({
      status: 200,
      body: { ...before, name: 'Other', priority: 5, tags: null, updated_at: aTime },
    });
    const retimed = await rest.put(`/schedules/${id}`, {
      cron_expression: '0 5 1 1 *',
      timezone: '-01:00',
      description: null,
      metadata: null,
      payload_template: [1],
    });
    expect(retimed.body).toMatchObject({ description: null, metadata: null, payload_template: [1], priority: 5 });
    expect(moment(retimed.body.next_run_at)).toBe(nextYear('01-01T06:00:00.000Z'));
    expect(await get(id)).toEqual(retimed.body);
    expect(problem(await rest.put(`/schedules/${id}`, { max_retries: 101 }))).toMatchObject({ status: 400 });
    expect(problem(await rest.put(`/schedules/${id}`, { is_active: 'no' }))).toMatchObject({ status: 422 });
    expect(problem(await rest.put(`/schedules/${id}`, { timezone: 'Nowhere' }))).toMatchObject({ status: 400 });
    expect(await get(id)).toEqual(retimed.body);
  });

  it('is paused and resumed, by its routes and by is_active', async () => {
    const id = await createSchedule(rest);
    const before = await get(id);
    const still = { ...before, is_active: false, next_run_at: null, updated_at: aTime };
    expect(outcomeOf(await rest.post(`/schedules/${id}/pause`))).toEqual({ status: 200, body: still });
    expect(outcomeOf(await rest.post(`/schedules/${id}/pause`, {}))).toEqual({ status: 200, body: still });
    const going = { ...before, updated_at: aTime };
    expect(outcomeOf(await rest.post(`/schedules/${id}/resume`, { reason: null }))).toEqual({
      status: 200,
      body: going,
    });
    expect((await rest.put(`/schedules/${id}`, { is_active: false })).body).toEqual(still);
    expect((await rest.put(`/schedules/${id}`, { is_active: true })).body).toEqual(going);
  });

  it('is deleted with its history', async () => {
    const id = await createSchedule(rest);
    await rest.post(`/schedules/${id}/trigger`);
    expect(outcomeOf(await rest.delete(`/schedules/${id}`))).toEqual({ status: 204, body: null });
    expect(problem(await rest.get(`/schedules/${id}/history`))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(problem(await rest.delete(`/schedules/${id}`))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });
});

describe('the list of schedules', () => {
  it('is sorted newest first, filtered and paged', async () => {
    const own = await createTenant(stack.databaseUrls.superuserUrl);
    const caller = new RestCaller(stack.baseUrl, own.key);
    const names = ['a', 'b', 'c'];
    const ids: string[] = [];
    for (const queue_name of names) ids.unshift(await createSchedule(caller, { queue_name }));
    await caller.post(`/schedules/${ids[0]}/pause`);
    const list = async (query = '', who = caller) =>
      (await who.get(`/schedules${query}`)).body.map(({ id }: { id: string }) => id);
    expect(await list()).toEqual(ids);
    expect((await caller.get('/schedules')).body[1]).toEqual((await caller.get(`/schedules/${ids[1]}`)).body);
    expect(await list('?limit=2&offset=1')).toEqual(ids.slice(1));
    expect(await list('?queue_name=b')).toEqual([ids[1]]);
    expect(await list('?is_active=false')).toEqual([ids[0]]);
    expect(await list('?is_active=true&limit=1')).toEqual([ids[1]]);
    expect(await list('?is_active=&limit=x&offset=-1')).toEqual(ids);
    const details = { is_active: 'must be true or false' };
    expect(problem(await caller.get('/schedules?is_active=perhaps'))).toMatchObject({ status: 400, details });
    expect(await list('', new RestCaller(stack.baseUrl, await own.keyFor('a', 'c')))).toEqual([ids[0], ids[2]]);
  });
});

describe('the plan', () => {
  it('limits active schedules exactly under concurrency; pausing frees one', async () => {
    const caller = await newLimitedCaller(stack, { max_schedules: 2, max_queues: 50 });
    const responses = await Promise.all(Array.from({ length: 8 }, () => caller.post('/schedules', newSchedule())));
    const created = responses.filter(({ status }) => status === 201);
    expect(created).toHaveLength(2);
    expect(outcomeOf(responses.find(({ status }) => status === 429)!)).toEqual(quotaExceeded('schedules', 2, 2));
    await caller.post(`/schedules/${created[0]!.body.id}/pause`);
    await createSchedule(caller);
    for (const again of [
      await caller.post(`/schedules/${created[0]!.body.id}/resume`),
      await caller.put(`/schedules/${created[0]!.body.id}`, { is_active: true }),
    ]) {
      expect(outcomeOf(again)).toEqual(quotaExceeded('schedules', 2, 2));
    }
    expect(await caller.post(`/schedules/${created[1]!.body.id}/resume`)).toMatchObject({ status: 200 });
  });

  it('counts the queues of active schedules', async () => {
    const caller = await newLimitedCaller(stack, { max_queues: 1, max_schedules: 10 });
    const id = await createSchedule(caller, { queue_name: 'one' });
    await createSchedule(caller, { queue_name: 'one' }).then((other) => caller.delete(`/schedules/${other}`));
    expect(outcomeOf(await caller.post('/schedules', newSchedule({ queue_name: 'two' })))).toEqual(
      quotaExceeded('queues', 1, 1),
    );
    expect(await caller.post('/jobs', { queue_name: 'two', payload: {} })).toMatchObject(quotaExceeded('queues', 1, 1));
    // The queue of a schedule may change, until a job exists in the old one.
    expect(await caller.put(`/schedules/${id}`, { queue_name: 'two' })).toMatchObject({ status: 200 });
    await caller.post(`/schedules/${id}/trigger`);
    expect(outcomeOf(await caller.put(`/schedules/${id}`, { queue_name: 'three' }))).toEqual(
      quotaExceeded('queues', 1, 1),
    );
  });

  it('limits the payload', async () => {
    const caller = await newLimitedCaller(stack, { max_payload_size_bytes: 1000 });
    const large = { payload_template: 'x'.repeat(1000) };
    expect(await caller.post('/schedules', newSchedule(large))).toMatchObject({ status: 413, body: { limit: 1000 } });
    const id = await createSchedule(caller);
    expect(await caller.put(`/schedules/${id}`, large)).toMatchObject({ status: 413, body: { limit: 1000 } });
  });
});

describe('access to schedules', () => {
  const routes = (caller: RestCaller, id: string): Promise<RestResponse>[] => [
    caller.get(`/schedules/${id}`),
    caller.put(`/schedules/${id}`, { name: 'mine' }),
    caller.post(`/schedules/${id}/pause`),
    caller.post(`/schedules/${id}/resume`),
    caller.post(`/schedules/${id}/trigger`),
    caller.get(`/schedules/${id}/history`),
    caller.delete(`/schedules/${id}`),
  ];
  const codes = async (caller: RestCaller, id: string) => {
    const responses = await Promise.all(routes(caller, id));
    return new Set(responses.map(({ status, body: content }) => `${status} ${content?.code}`));
  };

  it('is rejected without a credential, for another queue, for other tenants, and for unknown ids', async () => {
    const queue_name = newQueue();
    const id = await createSchedule(rest, { queue_name });
    const anonymous = new RestCaller(stack.baseUrl, null);
    expect(await codes(anonymous, id)).toEqual(new Set(['401 UNAUTHORIZED']));
    expect(problem(await anonymous.get('/schedules'))).toMatchObject({ status: 401 });
    expect(problem(await anonymous.post('/schedules', newSchedule()))).toMatchObject({ status: 401 });

    const scoped = new RestCaller(stack.baseUrl, await tenant.keyFor('mine'));
    expect(await codes(scoped, id)).toEqual(new Set(['403 ACCESS_DENIED']));
    expect(problem(await scoped.post('/schedules', newSchedule()))).toMatchObject({
      status: 403,
      code: 'ACCESS_DENIED',
    });
    const own = await createSchedule(scoped, { queue_name: 'mine' });
    expect(problem(await scoped.put(`/schedules/${own}`, { queue_name }))).toMatchObject({ status: 403 });
    expect((await scoped.post(`/schedules/${own}/trigger`)).status).toBe(200);
    expect((await scoped.get(`/schedules?queue_name=${queue_name}`)).body).toEqual([]);

    const otherTenant = new RestCaller(stack.baseUrl, (await createTenant(stack.databaseUrls.superuserUrl)).key);
    expect(await codes(otherTenant, id)).toEqual(new Set(['404 NOT_FOUND']));
    expect((await otherTenant.get('/schedules')).body).toEqual([]);
    for (const unknown of [randomUUID(), 'no-uuid']) {
      expect(await codes(rest, unknown)).toEqual(new Set(['404 NOT_FOUND']));
    }
    expect(await get(id)).toMatchObject({ name: 'Yearly report', is_active: true, run_count: 0 });
  });
});
