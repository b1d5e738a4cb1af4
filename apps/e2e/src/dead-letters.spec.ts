import { randomUUID } from 'node:crypto';
import { Spooled } from '@spooled/sdk';
import { createTenant, eventually, type TestTenant } from '@spooled/testing';
import { JobSteps, newQueue } from './job-steps.js';
import { problem, RestCaller } from './rest-caller.js';
import { useStack } from './use-rest.js';

const stack = useStack();
let tenant: TestTenant;
let user: RestCaller;

beforeEach(async () => {
  tenant = await createTenant(stack.databaseUrls.superuserUrl);
  user = new RestCaller(stack.baseUrl, tenant.key);
});

/** Creates a job that dies of this error. */
async function die(payload: object, error: string): Promise<string> {
  const { body } = await user.post('/jobs', { queue_name: 'mail', payload, max_retries: 0 });
  await user.post('/jobs/claim', { queue_name: 'mail', worker_id: 'w' });
  await user.post(`/jobs/${body.id}/fail`, { worker_id: 'w', error });
  return body.id as string;
}

interface Group {
  id: string;
  error: string;
  count: number;
}

describe('dead letters as a new user works with them', () => {
  it('BX-06 shows three causes as three groups, and replays one of them with a corrected payload at 10 a second', async () => {
    const invalid = [
      await die(
        { to: 'ann@example,com', order: 9007199254740993n.toString() },
        'invalid address "ann@example,com" in order 17',
      ),
      await die({ to: 'bob@example,com' }, 'invalid address "bob@example,com" in order 4711'),
    ];
    const [timeout] = [await die({ to: 'x' }, 'timeout after 30000 ms')];
    const [unknown] = [await die({ to: 'y' }, 'user 0190f7c2-7b1e-7a31-9c44-0a1b2c3d4e5f not found')];

    const { body: groups } = await user.get('/jobs/dlq/groups');
    expect(groups.map(({ error, count }: Group) => [error, count])).toEqual([
      ['invalid address "#" in order #', 2],
      ['user # not found', 1],
      ['timeout after # ms', 1],
    ]);
    const [{ id: group_id }] = groups as [Group];

    const replay = { group_id, payload_patch: { to: 'fixed@example.com' }, per_second: 10 };
    const dryRun = await user.post('/jobs/dlq/replays', { ...replay, dry_run: true });
    expect([dryRun.status, dryRun.body.count]).toEqual([200, 2]);
    expect(dryRun.body.sample.map(({ payload }: { payload: { to: string } }) => payload.to)).toEqual([
      'fixed@example.com',
      'fixed@example.com',
    ]);
    const { status, body: operation } = await user.post('/jobs/dlq/replays', replay);
    expect([status, operation.state, operation.total]).toEqual([202, 'pending', 2]);
    await eventually(async () =>
      expect((await user.get(`/operations/${operation.id}`)).body).toMatchObject({ state: 'completed', processed: 2 }),
    );

    const { body: claimed } = await user.post('/jobs/claim', { queue_name: 'mail', worker_id: 'w', limit: 10 });
    expect(claimed.jobs.map(({ id, payload }: { id: string; payload: { to: string } }) => [id, payload.to])).toEqual(
      invalid.map((id) => [id, 'fixed@example.com']),
    );
    for (const id of invalid) await user.post(`/jobs/${id}/complete`, { worker_id: 'w' });
    await eventually(async () =>
      expect((await user.get(`/operations/${operation.id}`)).body).toMatchObject({ succeeded: 2, waiting: 0 }),
    );
    const { body: left } = await user.get('/jobs/dlq');
    expect(left.map(({ id }: { id: string }) => id).sort()).toEqual([timeout, unknown].sort());
    const { body: log } = await user.get(`/audit?target_id=${operation.id}`);
    expect(log).toMatchObject([{ action: 'operation.created', after: { kind: 'deadletter.replay', total: 2 } }]);
  });

  it('BX-15 the same with the SDK: groups, a replay, a purge and a cancellation, and who began them', async () => {
    const client = new Spooled({ baseUrl: stack.baseUrl, apiKey: tenant.key });
    await die({ to: 'a' }, 'broken 1');
    await die({ to: 'b' }, 'other');
    const groups = await client.deadLetters.groups({ orderBy: 'last_seen' });
    expect(groups.map(({ error }) => error)).toEqual(['other', 'broken #']);
    const { group, jobs } = await client.deadLetters.group(groups[1]!.id);
    expect([group.sample.error, jobs.length]).toEqual(['broken 1', 1]);
    const patch = { groupId: group.id, payloadPatch: { some_name: 1 } };
    expect((await client.deadLetters.previewReplay(patch)).sample).toMatchObject([
      { payload: { to: 'a', some_name: 1 } },
    ]);
    const replay = await client.deadLetters.replay({ ...patch, perSecond: 100 });
    expect(await client.operations.finished(replay.id)).toMatchObject({
      state: 'completed',
      processed: 1,
      refusedJobs: [],
    });
    expect((await client.jobs.get(group.sample.jobId)).payload).toEqual({ to: 'a', some_name: 1 });
    expect((await client.deadLetters.previewPurge({ all: true })).count).toBe(1);
    const purge = await client.deadLetters.purgeAll({ all: true });
    await client.operations.finished(purge.id);
    expect(await client.deadLetters.list()).toEqual([]);
    expect((await client.operations.previewCancelJobs({ queueName: 'mail' })).count).toBe(1);
    const cancel = await client.operations.cancelJobs({ queueName: 'mail' });
    expect(await client.operations.finished(cancel.id)).toMatchObject({ kind: 'job.cancel', processed: 1 });
    expect((await client.operations.list()).map(({ id }) => id)).toEqual([cancel.id, purge.id, replay.id]);
    const log = await client.audit.list({ action: 'operation.created' });
    expect(log.map(({ targetId }) => targetId)).toEqual([cancel.id, purge.id, replay.id]);
    expect(log[0]).toMatchObject({ actor: { kind: 'key', name: 'spec' }, after: { kind: 'job.cancel' } });
  });
});

describe('dead letters', () => {
  it('KF-17 are listed, retried oldest first, and purged', async () => {
    const jobs = new JobSteps(user);
    const queue_name = newQueue();
    const [oldest, middle, newest] = [
      await jobs.createDeadLetter(queue_name),
      await jobs.createDeadLetter(queue_name),
      await jobs.createDeadLetter(queue_name),
    ];
    const listed = await user.get(`/jobs/dlq?queue_name=${queue_name}&limit=2`);
    expect(listed.body).toMatchObject([
      { id: newest, status: 'deadletter', last_error: 'broken' },
      { id: middle, status: 'deadletter' },
    ]);
    const retried = await user.post('/jobs/dlq/retry', { queue_name, limit: 1 });
    expect([retried.status, retried.body]).toEqual([
      200,
      { retried_count: 1, retried_jobs: [oldest], skipped_jobs: [] },
    ]);
    const named = await user.post('/jobs/dlq/retry', { job_ids: [middle, randomUUID(), 'nonsense'] });
    expect(named.body).toEqual({ retried_count: 1, retried_jobs: [middle], skipped_jobs: [] });
    const refusedPurge = await user.post('/jobs/dlq/purge', { queue_name, confirm: false });
    expect(problem(refusedPurge)).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
    const early = await user.post('/jobs/dlq/purge', { queue_name, older_than: '2000-01-01T00:00:00Z', confirm: true });
    expect(early.body).toEqual({ purged_count: 0 });
    expect((await user.post('/jobs/dlq/purge', { queue_name })).body).toEqual({ purged_count: 1 });
    expect(problem(await user.get(`/jobs/${newest}`))).toMatchObject({ status: 404 });
  });

  it('rejects more ids than the limit, and changes nothing when a plan limit is reached', async () => {
    const ids = [randomUUID(), randomUUID()];
    expect(problem(await user.post('/jobs/dlq/retry', { job_ids: ids, limit: 1 }))).toMatchObject({ status: 400 });
    const capped = new RestCaller(
      stack.baseUrl,
      (await createTenant(stack.databaseUrls.superuserUrl, { customLimits: { max_active_jobs: 1 } })).key,
    );
    await new JobSteps(capped).createDeadLetter('q');
    await new JobSteps(capped).createDeadLetter('q');
    expect(await capped.post('/jobs/dlq/retry')).toMatchObject({ status: 429, body: { resource: 'active_jobs' } });
    expect((await capped.get('/jobs/stats')).body).toMatchObject({ deadletter: 2, pending: 0 });
  });
});
