import { eventually } from '@spooled/testing';
import { newQueue } from './job-steps.js';
import { anId, aTime } from './rest-caller.js';
import { createSchedule, newLimitedCaller, newSchedule, outcomeOf, quotaExceeded } from './schedule-steps.js';
import { useRest } from './use-rest.js';

const { stack, rest } = useRest();

const get = async (id: string) => (await rest.get(`/schedules/${id}`)).body;

describe('triggering a schedule', () => {
  it('creates a job at once, also while paused, and does not change its run times', async () => {
    const queue_name = newQueue();
    const id = await createSchedule(rest, {
      queue_name,
      priority: 9,
      max_retries: 1,
      timeout_seconds: 60,
      tags: { a: 'b' },
    });
    const first = await rest.post(`/schedules/${id}/trigger`);
    expect(outcomeOf(first)).toEqual({
      status: 200,
      body: { job_id: anId, triggered_at: aTime, scheduled_at: first.body.triggered_at },
    });
    const before = await get(id);
    expect(before).toMatchObject({ run_count: 1, last_run_at: first.body.triggered_at });
    expect((await rest.get(`/jobs/${first.body.job_id}`)).body).toMatchObject({
      queue_name,
      status: 'pending',
      payload: { job_type: 'report', nested: { keepMe: 1 } },
      priority: 9,
      max_retries: 1,
      timeout_seconds: 60,
      tags: { a: 'b' },
    });
    const claimed = await rest.post('/jobs/claim', { queue_name, worker_id: 'w1' });
    expect(claimed.body.jobs).toMatchObject([{ id: first.body.job_id }]);
    await rest.post(`/jobs/${first.body.job_id}/complete`, { worker_id: 'w1' });

    const { body: paused } = await rest.post(`/schedules/${id}/pause`);
    const second = await rest.post(`/schedules/${id}/trigger`, {});
    expect(second.status).toBe(200);
    expect(await get(id)).toEqual({ ...paused, run_count: 2, last_run_at: second.body.triggered_at });

    const run = { id: anId, schedule_id: id, status: 'completed', error_message: null, source: 'manual' };
    const at = (time: string) => ({ started_at: time, completed_at: time });
    const runs = [
      { ...run, job_id: second.body.job_id, job_status: 'pending', ...at(second.body.triggered_at) },
      { ...run, job_id: first.body.job_id, job_status: 'completed', ...at(first.body.triggered_at) },
    ];
    expect(outcomeOf(await rest.get(`/schedules/${id}/history`))).toEqual({ status: 200, body: runs });
    expect((await rest.get(`/schedules/${id}/history?limit=1`)).body).toEqual(runs.slice(0, 1));
  });

  it('is rejected when a plan limit is reached, and records nothing', async () => {
    const caller = await newLimitedCaller(stack, { max_active_jobs: 1 });
    const id = await createSchedule(caller);
    expect((await caller.post(`/schedules/${id}/trigger`)).status).toBe(200);
    expect(outcomeOf(await caller.post(`/schedules/${id}/trigger`))).toEqual(quotaExceeded('active_jobs', 1, 1));
    expect((await caller.get(`/schedules/${id}/history`)).body).toHaveLength(1);
    expect((await caller.get(`/schedules/${id}`)).body.run_count).toBe(1);
  });
});

describe('a schedule that runs every second', () => {
  it('SP-24 fires once a second, until it is paused', async () => {
    const queue_name = newQueue();
    // From the response: a moment later it may have run already.
    const created = await rest.post('/schedules', newSchedule({ cron_expression: '* * * * * *', queue_name }));
    const { id, next_run_at: first } = created.body;
    await eventually(async () => expect((await get(id)).run_count).toBeGreaterThanOrEqual(5));
    const { body: paused } = await rest.post(`/schedules/${id}/pause`);

    const { body: history } = await rest.get(`/schedules/${id}/history?limit=500`);
    const jobs = (await rest.get(`/jobs?queue_name=${queue_name}&limit=100`)).body;
    expect(history).toHaveLength(paused.run_count);
    expect(new Set(history.map(({ source }: { source: string }) => source))).toEqual(new Set(['schedule']));
    const ids = (rows: Record<string, string>[], name: string) => rows.map((row) => row[name]).sort();
    expect(ids(history, 'job_id')).toEqual(ids(jobs, 'id'));
    // At most one run per second since the first.
    const seconds = Math.floor((Date.parse(paused.last_run_at) - Date.parse(first)) / 1000) + 1;
    expect(paused.run_count).toBeLessThanOrEqual(seconds);
    expect(paused.last_run_at).toBe(history[0].started_at);
  });

  it('records why it could not run, and continues', async () => {
    const caller = await newLimitedCaller(stack, { max_active_jobs: 0 });
    const id = await createSchedule(caller, { cron_expression: '* * * * * *' });
    const runs = await eventually(async () => {
      const { body: history } = await caller.get(`/schedules/${id}/history`);
      expect(history.length).toBeGreaterThanOrEqual(2);
      return history;
    });
    expect(runs[0]).toEqual({
      id: anId,
      schedule_id: id,
      job_id: null,
      status: 'failed',
      error_message: expect.stringContaining('active_jobs limit reached (0/0)'),
      started_at: aTime,
      completed_at: aTime,
      job_status: null,
      source: 'schedule',
    });
    await caller.delete(`/schedules/${id}`);
  });
});
