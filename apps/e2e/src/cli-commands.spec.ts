import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Spooled } from '@spooled/sdk';
import { asSuperuser, eventually, useFolder } from '@spooled/testing';
import { CliProcess, CliRun, cliFor } from './cli-process.js';
import { newQueue } from './job-steps.js';
import { useStack } from './use-rest.js';

const stack = useStack();
let client: Spooled;
let env: NodeJS.ProcessEnv;
let run: ReturnType<typeof cliFor>;
const folder = useFolder();

beforeAll(async () => {
  client = new Spooled({ baseUrl: stack.baseUrl, apiKey: stack.apiKey });
  env = { SPOOLED_URL: stack.baseUrl, SPOOLED_API_KEY: stack.apiKey };
  run = cliFor(env);
});

/** Runs a command that must succeed, and returns its JSON. */
async function json(args: string[], more?: Record<string, string | undefined>) {
  const { code, stdout, stderr } = await run([...args, '--output', 'json'], { more });
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  // Specs compare it with literals of any shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  return JSON.parse(stdout) as any;
}

async function deadLetters(queueName: string, count: number, error = 'mailbox full'): Promise<string[]> {
  const jobs = Array.from({ length: count }, (_, n) => ({ payload: { n } }));
  await client.jobs.createMany({ queueName, jobs, defaultMaxRetries: 0 });
  const claimed = await client.jobs.claim({ queueName, workerId: 'w', limit: count });
  for (const { id, leaseId } of claimed) await client.jobs.fail(id, { workerId: 'w', leaseId, error });
  return claimed.map(({ id }) => id);
}

describe('BX-17 jobs from lines of JSON', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, n) => JSON.stringify({ payload: { n }, priority: n % 3 })).join('\n');
  const countIn = async (queue: string) => (await client.jobs.stats(queue)).total;

  it('are created once, also when a run is repeated', async () => {
    const queue = newQueue();
    const runName = randomUUID();
    const first = await run(['jobs', 'bulk', queue, '--run', runName, '-o', 'json'], { input: lines(250) });
    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout)).toEqual({ run: runName, created: 250, existing: 0, refused: 0 });
    // As after a run that was interrupted, and went further in the meantime.
    const second = await run(['jobs', 'bulk', queue, '--run', runName, '-o', 'json'], { input: lines(260) });
    expect(JSON.parse(second.stdout)).toEqual({ run: runName, created: 10, existing: 250, refused: 0 });
    expect(await countIn(queue)).toBe(260);
  });

  it('are resumed after the run was killed', async () => {
    const queue = newQueue();
    const file = join(folder, 'jobs.jsonl');
    writeFileSync(file, lines(2_000));
    const killed = new CliProcess(['jobs', 'bulk', queue, file, '--concurrency', '1'], env);
    const runName = await eventually(async () => {
      expect(await countIn(queue)).toBeGreaterThan(0);
      return /--run (\S+),/.exec(killed.stderr)![1]!;
    });
    killed.child.kill('SIGKILL');
    await killed.result();
    const resumed = await run(['jobs', 'bulk', queue, file, '--run', runName, '-o', 'json']);
    const { created, existing } = JSON.parse(resumed.stdout) as { created: number; existing: number };
    expect(created + existing).toBe(2_000);
    expect(existing).toBeGreaterThan(0);
    expect(await countIn(queue)).toBe(2_000);
  });

  it.each([
    ['{"payload":{}}\n{"payload":{},"priorty":1}', 'Line 2 has the unknown member "priorty"'],
    ['{"payload":{}}\n\n{"payload":', 'Line 3 is no valid JSON'],
    ['{"n":1}', 'Line 1 has no "payload"'],
  ])('are refused by line and member: %j', async (input, message) => {
    const { code, stderr } = await run(['jobs', 'bulk', newQueue()], { input });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('names the line that the server refuses, and goes on only when told to', async () => {
    const queue = newQueue();
    const input = `${lines(120)}\n{"payload":{},"priority":1000}\n${lines(5)}`;
    const stopped = await run(['jobs', 'bulk', queue], { input });
    expect([stopped.code, stopped.stderr]).toEqual([1, expect.stringMatching(/Line 121 was refused: .*priority/)]);
    const whole = await run(['jobs', 'bulk', queue, '--keep-going', '--run', 'all', '-o', 'json'], { input });
    expect(whole.code).toBe(1);
    expect(whole.stderr).toMatch(/Line 121 was refused/);
    expect(JSON.parse(whole.stdout)).toMatchObject({ created: 125, refused: 1 });
  });

  it('says how far it got when a line is wrong, with an exit code that does not claim that nothing was changed', async () => {
    const queue = newQueue();
    const { code, stderr } = await run(['jobs', 'bulk', queue], { input: `${lines(250)}\n{"payload":` });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/Line 251 is no valid JSON.+\. Before that: 200 created, 0 existing\.\n$/),
    ]);
    expect(await countIn(queue)).toBe(200);
  });

  it('says how far it got when it is interrupted', async () => {
    const queue = newQueue();
    const sending = new CliProcess(['jobs', 'bulk', queue], env);
    sending.child.stdin.write(`${lines(101)}\n`);
    await eventually(async () => expect(await countIn(queue)).toBe(100));
    // Its response has arrived when the next request has been answered.
    sending.child.stdin.write(`${lines(100)}\n`);
    await eventually(async () => expect(await countIn(queue)).toBe(200));
    sending.child.kill('SIGINT');
    const { code, stderr } = await sending.result();
    expect([code, stderr]).toEqual([
      130,
      expect.stringMatching(/Interrupted: at least [12]00 created, 0 existing\.\n$/),
    ]);
  });

  it('are those of one queue: the name of a run may be used for another one', async () => {
    const runName = randomUUID();
    for (const queue of [newQueue(), newQueue()]) {
      const { stdout } = await run(['jobs', 'bulk', queue, '--run', runName, '-o', 'json'], { input: lines(3) });
      expect(JSON.parse(stdout)).toMatchObject({ created: 3, existing: 0 });
    }
  });

  it('refuses a line without end instead of keeping it in memory', async () => {
    const endless = await run(['jobs', 'bulk', newQueue()], { input: `{"payload":"${'x'.repeat(17_000_000)}` });
    expect([endless.code, endless.stderr]).toEqual([2, expect.stringContaining('Line 1 is longer than')]);
  });
});

describe('BX-17 a job that is watched', () => {
  it('is printed at each change until it has ended', async () => {
    const queueName = newQueue();
    const { id } = await client.jobs.create({ queueName, payload: {} });
    const watching = new CliRun(['jobs', 'watch', id, '-o', 'jsonl'], env);
    await eventually(() => expect(watching.stdout).toContain('"pending"'));
    const [job] = await client.jobs.claim({ queueName, workerId: 'w' });
    await eventually(() => expect(watching.stdout).toContain('"processing"'));
    await client.jobs.complete(id, { workerId: 'w', leaseId: job!.leaseId });
    expect(await watching.result()).toMatchObject({ code: 0, stderr: '' });
    expect(watching.stdout.trim().split('\n').at(-1)).toContain('"completed"');
  });

  it('ends with exit code 1 when it did not complete, and with 130 at Ctrl-C', async () => {
    const queueName = newQueue();
    const [dead] = await deadLetters(queueName, 1);
    expect(await run(['jobs', 'watch', dead!])).toMatchObject({ code: 1, stderr: '' });
    const { id } = await client.jobs.create({ queueName, payload: {} });
    const watching = new CliProcess(['jobs', 'watch', id], env);
    await eventually(() => expect(watching.stdout).toContain('pending'));
    watching.child.kill('SIGINT');
    expect(await watching.result()).toMatchObject({ code: 130, signal: null, stderr: '' });
  });

  it('has its events printed live', async () => {
    const queueName = newQueue();
    const watching = new CliRun(['events', '--queue', queueName, '-o', 'jsonl'], env);
    await eventually(async () => {
      await client.jobs.create({ queueName, payload: {} });
      expect(watching.stdout).toContain('"job.created"');
    });
    watching.interrupt();
    expect((await watching.result()).code).toBe(130);
  });
});

describe('BX-17 actions on many jobs', () => {
  it('replay a group of dead letters in stages, after a dry run that changes nothing', async () => {
    const queue = newQueue();
    await deadLetters(queue, 3);
    const [group] = (await json(['dlq', 'groups', '--queue', queue])) as { id: string; count: number }[];
    expect(group).toMatchObject({ count: 3, error: 'mailbox full', queue_name: queue });
    expect(await json(['dlq', 'replay', '--group', group!.id, '--dry-run'])).toMatchObject({ count: 3, dry_run: true });
    const unanswered = await run(['dlq', 'replay', '--group', group!.id]);
    expect([unanswered.code, unanswered.stdout]).toEqual([2, '']);
    expect(unanswered.stderr).toContain(`Replay 3 dead letters with group ${group!.id}`);
    expect(await client.jobs.stats(queue)).toMatchObject({ deadletter: 3 });
    const stages = ['--stages', '1,2', '--max-failure-share', '0.5', '--min-ended', '1', '--yes'];
    const operation = await json(['dlq', 'replay', '--group', group!.id, ...stages]);
    expect(operation).toMatchObject({ kind: 'deadletter.replay', options: { stages: [1, 2], max_failure_share: 0.5 } });
    await json(['operations', 'cancel', operation.id]);
    const waited = await run(['operations', 'wait', operation.id]);
    expect([waited.code, waited.stdout]).toEqual([1, expect.stringContaining('cancelled')]);
  });

  it('need a filter, or --all', async () => {
    for (const act of ['replay', 'purge']) {
      const { code, stderr } = await run(['dlq', act, '--yes']);
      expect([code, stderr]).toEqual([2, expect.stringContaining('--all')]);
    }
  });

  it('purge a queue by a filter, after a dry run, and a misspelt filter purges nothing', async () => {
    const queue = newQueue();
    for (const job_type of ['a', 'a', 'b']) await client.jobs.create({ queueName: queue, payload: { job_type } });
    expect(await json(['queues', 'purge', queue, '--type', 'a', '--dry-run'])).toMatchObject({ count: 2 });
    expect((await run(['queues', 'purge', queue, '--jobtype', 'a', '--yes'])).code).toBe(2);
    expect(await client.jobs.stats(queue)).toMatchObject({ pending: 3 });
    const done = await json(['queues', 'purge', queue, '--type', 'a', '--yes', '--wait']);
    expect(done).toMatchObject({ kind: 'job.cancel', state: 'completed', processed: 2 });
    expect(await client.jobs.stats(queue)).toMatchObject({ pending: 1, cancelled: 2 });
  });
});

describe('BX-17 the other resources', () => {
  it('queues are listed, explained, paused and resumed', async () => {
    const queue = newQueue();
    await client.queues.configure(queue, { maxRetries: 2 });
    await json(['queues', 'pause', queue, '--reason', 'deploy', '--for', '1h']);
    expect(await json(['queues', 'get', queue])).toMatchObject({ max_retries: 2, pause: { reason: 'deploy' } });
    expect((await run(['queues', 'explain', queue])).stdout).toContain('queue_paused');
    expect((await json(['queues', 'list'])) as object[]).toContainEqual(expect.objectContaining({ queue_name: queue }));
    expect(await json(['queues', 'resume', queue])).toMatchObject({ resumed: true });
    expect((await run(['problems'])).code).toBe(0);
  });

  it('schedules are listed, paused, triggered and deleted', async () => {
    const queue = newQueue();
    const { id } = await client.schedules.create({
      name: queue,
      cronExpression: '0 0 1 1 *',
      queueName: queue,
      payloadTemplate: {},
    });
    expect(await json(['schedules', 'list', '--queue', queue])).toMatchObject([{ id, queue_name: queue }]);
    expect(await json(['schedules', 'pause', id])).toMatchObject({ is_active: false });
    expect(await json(['schedules', 'trigger', id])).toMatchObject({ job_id: expect.any(String) });
    expect(await json(['schedules', 'history', id])).toMatchObject([{ source: 'manual' }]);
    expect((await run(['schedules', 'delete', id, '--yes'])).code).toBe(0);
  });

  it('workers are shown and drained', async () => {
    const queue = newQueue();
    const worker = await client.workers.register({ queueName: queue, hostname: 'here' });
    expect((await json(['workers', 'drain', worker.id])).worker_id ?? worker.id).toBe(worker.id);
    expect(await json(['workers', 'get', worker.id])).toMatchObject({ status: 'draining' });
    expect(await json(['workers', 'jobs', worker.id])).toEqual([]);
  });

  it('workers of a version are drained and taken back', async () => {
    const version = randomUUID();
    const register = () => client.workers.register({ queueName: newQueue(), hostname: 'here', version });
    const [first] = await Promise.all([register(), register()]);
    expect(await json(['workers', 'drain', '--of-version', version])).toEqual({ workers: 2 });
    expect(await json(['workers', 'versions'])).toContainEqual(expect.objectContaining({ version, drained: 2 }));
    expect(await json(['workers', 'resume', first.id])).toMatchObject({});
    expect(await json(['workers', 'versions'])).toContainEqual(expect.objectContaining({ version, drained: 1 }));
    expect(await run(['workers', 'drain', first.id, '--of-version', version])).toMatchObject({ code: 2 });
    expect(await run(['workers', 'drain'])).toMatchObject({ code: 2 });
  });

  it('throttles are previewed, set and released', async () => {
    const queue = newQueue();
    await client.jobs.create({ queueName: queue, payload: {} });
    const set = ['throttles', 'set', '--queue', queue, '--tag', 'customer=4711', '--per-second', '0.5', '--for', '30m'];
    expect(await json([...set, '--dry-run'])).toMatchObject({ refused: 0 });
    expect(await run(set)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    const { id } = await json([...set, '--yes']);
    const held = { id, queue_name: queue, tag: { name: 'customer', value: '4711' }, per_second: 0.5 };
    expect(await json(['throttles', 'list'])).toContainEqual(expect.objectContaining(held));
    expect((await run(['throttles', 'release', id])).code).toBe(0);
    expect(await json(['throttles', 'list'])).not.toContainEqual(expect.objectContaining({ id }));
    expect(await run(['throttles', 'set', '--per-second', '0', '--for', '1m'])).toMatchObject({ code: 2 });
  });

  it('causes of failures are muted for a time and unmuted', async () => {
    const queueName = newQueue();
    await deadLetters(queueName, 1, 'no such host');
    const causes = () => json(['dlq', 'causes', '--queue', queueName]);
    const [{ id }] = await causes();
    expect(await run(['dlq', 'mute', id, '--for', '2h'])).toMatchObject({ code: 2 });
    expect(await json(['dlq', 'mute', id, '--for', '2h', '--reason', 'moves'])).toMatchObject({ cause_id: id });
    expect(await causes()).toMatchObject([{ id, count: 1, muted: { reason: 'moves' } }]);
    expect(await json(['dlq', 'mutes'])).toContainEqual(expect.objectContaining({ cause_id: id }));
    expect((await run(['dlq', 'unmute', id])).code).toBe(0);
    expect(await causes()).toMatchObject([{ muted: null }]);
  });

  it('deliveries are listed to the end, also where large payloads end a page early', async () => {
    const body = { name: randomUUID(), url: 'https://example.com/hook', events: ['job.created' as const] };
    const { id } = await client.outgoingWebhooks.create({ ...body, enabled: false });
    await asSuperuser(
      stack.databaseUrls.superuserUrl,
      `INSERT INTO webhook_deliveries (organization_id, webhook_id, event, payload, status, next_attempt_at)
       SELECT organization_id, id, 'job.created', json_build_object('text', repeat('x', 1000000)), 'success', NULL
       FROM outgoing_webhooks, generate_series(1, 10) WHERE id = $1`,
      [id],
    );
    expect(await json(['webhooks', 'deliveries', id])).toHaveLength(10);
  });

  it('organizations and services are for an administrator', async () => {
    const more = { SPOOLED_ADMIN_KEY: stack.adminKey, SPOOLED_API_KEY: undefined };
    const admin = (...args: string[]) => json(['admin', ...args], more);
    const slug = `cli-${randomUUID()}`;
    const created = await admin('organizations', 'create', 'Cli', slug, '--plan', 'pro');
    const { id } = created.organization;
    expect(await json(['members'])).toMatchObject([{ role: 'owner' }]);
    expect(await admin('organizations', 'list', '--search', slug)).toMatchObject([{ id, plan_tier: 'pro' }]);
    expect(await admin('organizations', 'set-plan', id, 'starter')).toMatchObject({ plan_tier: 'starter' });
    expect(await admin('organizations', 'get', id)).toMatchObject({ slug, plan_tier: 'starter' });
    expect(await admin('services')).toContainEqual(expect.objectContaining({ service: 'engine', is_alive: true }));
    expect(await admin('capacity')).toContainEqual(expect.objectContaining({ unit: 'connections' }));
    expect(await run(['admin', 'organizations', 'delete', id], { more })).toMatchObject({ code: 2 });
    expect((await run(['admin', 'organizations', 'delete', id, '--yes'], { more })).code).toBe(0);
    expect(await run(['organizations'], { more })).toMatchObject({ code: 2 });
    // A key of an organization is none of an administrator.
    expect(await run(['admin', 'services'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('SPOOLED_ADMIN_KEY'),
    });
    const wrong = await run(['admin', 'services'], { more: { SPOOLED_ADMIN_KEY: stack.apiKey } });
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.not.stringContaining(stack.apiKey)]);
  });

  it('batches are created, filled by lines, closed, read and cancelled', async () => {
    const queue = newQueue();
    const report = JSON.stringify({
      queue_name: newQueue(),
      payload: { big: 9007199254740993n.toString() },
      tags: { a_b: 1 },
    });
    const { id } = await json(['batches', 'create', 'import', '--metadata', '{"a":1}', '--on-complete', report]);
    const lines = [0, 1, 2].map((n) => JSON.stringify({ payload: { n }, max_retries: 0 })).join('\n');
    const added = await run(['batches', 'add', id, queue, '--run', queue, '-o', 'json'], { input: lines });
    expect(JSON.parse(added.stdout)).toMatchObject({ created: 3, existing: 0 });
    const again = await run(['batches', 'add', id, queue, '--run', queue, '-o', 'json'], { input: lines });
    expect(JSON.parse(again.stdout)).toMatchObject({ created: 0, existing: 3 });
    expect(await json(['batches', 'close', id])).toMatchObject({ status: 'closed', total_jobs: 3, metadata: { a: 1 } });
    expect(await json(['batches', 'list', '--status', 'closed'])).toContainEqual(expect.objectContaining({ id }));

    const dry = await run(['batches', 'cancel', id, '--dry-run']);
    expect([dry.code, dry.stderr]).toEqual([0, expect.stringContaining('3 jobs wait and 0 run, nothing was changed')]);
    expect((await run(['batches', 'cancel', id])).code).toBe(2);
    const claimed = await client.jobs.claim({ queueName: queue, workerId: 'w', limit: 3 });
    for (const { id: job, leaseId, payload } of claimed) {
      if ((payload as { n: number }).n === 0) await client.jobs.fail(job, { workerId: 'w', leaseId, error: 'no' });
      else await client.jobs.complete(job, { workerId: 'w', leaseId, result: payload });
    }
    const { stdout } = await run(['batches', 'results', id, '--all']);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toMatchObject([
      { status: 'deadletter', result: null, error: 'no' },
      { status: 'completed', result: { n: 1 } },
      { status: 'completed', result: { n: 2 } },
    ]);
    expect(await json(['batches', 'jobs', id, '--status', 'failed'])).toMatchObject([{ id: claimed[0]!.id }]);
    const { callback_job_ids: callbacks } = await json(['batches', 'get', id]);
    expect(await client.jobs.get(callbacks.on_complete)).toMatchObject({ tags: { a_b: 1 }, batchId: id });
    expect(await run(['batches', 'cancel', id, '--yes'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('completed'),
    });
    const misspelt = await run(['batches', 'create', '--on-death', '{"queue":"q","payload":{}}']);
    expect(misspelt).toMatchObject({ code: 2, stderr: expect.stringContaining('"queue"') });
    const open = await json(['batches', 'create']);
    await client.batches.add(open.id, { queueName: queue, jobs: [{ payload: {} }] });
    expect(await json(['batches', 'cancel', open.id, '--yes'])).toMatchObject({ status: 'cancelled', total_jobs: 1 });
  });

  it('workflows are drawn', async () => {
    const queueName = newQueue();
    const job = (key: string, ...dependsOn: string[]) => ({ key, queueName, payload: {}, dependsOn });
    const { workflowId } = await client.workflows.create({
      name: 'import',
      jobs: [job('load'), job('check', 'load'), job('send', 'check', 'load')],
    });
    const { stdout } = await run(['workflows', 'get', workflowId]);
    expect(stdout).toMatch(/^import {2}\w+ {2}0 of 3 jobs completed\nload {2}pending\n[├└]─ /);
    expect((await run(['workflows', 'cancel', workflowId, '--yes'])).code).toBe(0);
  });

  it('keys: the new key is printed once, and lists have none', async () => {
    const created = await json(['keys', 'create', 'ci', '--role', 'viewer']);
    expect(created).toMatchObject({ key: expect.stringMatching(/^sk_/), role: 'viewer' });
    const list = await run(['keys', 'list', '--output', 'json']);
    expect(list.stdout).toContain(created.id);
    expect(list.stdout).not.toContain(created.key);
    const asViewer = await run(['queues', 'pause', newQueue()], { more: { SPOOLED_API_KEY: created.key } });
    expect([asViewer.code, asViewer.stderr]).toEqual([1, expect.not.stringContaining(created.key)]);
    expect((await run(['keys', 'revoke', created.id, '--yes'])).code).toBe(0);
  });
});

describe('BX-17 the log of a job', () => {
  it('is followed until the job has ended, on one line each, and says what was not kept', async () => {
    const queueName = newQueue();
    const { id } = await client.jobs.create({ queueName, payload: {} });
    const [job] = await client.jobs.claim({ queueName, workerId: 'w' });
    const proof = { workerId: 'w', leaseId: job!.leaseId };
    await client.jobs.reportLogs(id, {
      ...proof,
      lines: [{ number: 1, message: 'one\n\u001b[2J', fields: { n: 12n } }],
    });
    const following = new CliRun(['jobs', 'logs', id, '--follow'], env);
    await eventually(() => expect(following.stdout).toContain('#1  info   one\\n\\u001b[2J {"n":12}\n'));
    await client.jobs.reportLogs(id, { ...proof, lines: [{ number: 7, level: 'error', message: 'last' }] });
    await client.jobs.complete(id, proof);
    const { code, stdout, stderr } = await following.result();
    expect([code, stdout.trim().split('\n')]).toEqual([
      0,
      [expect.anything(), expect.stringMatching(/error {2}last$/)],
    ]);
    expect(stderr).toContain('5 more lines of attempt 1 were not kept');
    const ofSecond = await run(['jobs', 'logs', id, '--attempt', '2', '-o', 'jsonl']);
    expect(ofSecond).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });
});
