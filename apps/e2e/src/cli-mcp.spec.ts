import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Spooled, Worker } from '@spooled/sdk';
import { createTenant, eventually, SeededRandom, type SharedStack, sharedStack } from '@spooled/testing';
import { CliProcess } from './cli-process.js';
import { newQueue } from './job-steps.js';

let stack: SharedStack;
let client: Spooled;
let env: Record<string, string>;
const agents: Client[] = [];

beforeAll(async () => {
  stack = await sharedStack();
  const { key } = await createTenant(stack.databaseUrls.superuserUrl);
  client = new Spooled({ baseUrl: stack.baseUrl, apiKey: key });
  env = { SPOOLED_URL: stack.baseUrl, SPOOLED_API_KEY: key };
}, 60_000);
afterEach(() => Promise.all(agents.splice(0).map((agent) => agent.close())));

/** An agent with a session of its own, over the protocol's own client. */
async function connect(...options: string[]): Promise<Client> {
  const agent = new Client({ name: 'spec', version: '1' });
  agents.push(agent);
  const args = [resolve('dist/cli/spooled.js'), 'mcp', ...options];
  await agent.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  return agent;
}

/** The result of a tool as text, and whether it is an error. */
async function call(agent: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError = false } = await agent.callTool({ name, arguments: args });
  const [{ text }] = content as [{ text: string }];
  return { text, isError };
}

/** The result of a tool that must succeed. */
async function json(agent: Client, name: string, args: Record<string, unknown> = {}) {
  const { text, isError } = await call(agent, name, args);
  expect([isError, text]).toEqual([false, expect.any(String)]);
  // Specs compare it with literals of any shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  return JSON.parse(text) as any;
}

async function deadLetters(queueName: string, count: number, error: string): Promise<void> {
  const jobs = Array.from({ length: count }, (_, n) => ({ payload: { n, password: 'of a customer' } }));
  await client.jobs.createMany({ queueName, jobs, defaultMaxRetries: 0 });
  const claimed = await client.jobs.claim({ queueName, workerId: 'w', limit: count });
  for (const { id, leaseId } of claimed) await client.jobs.fail(id, { workerId: 'w', leaseId, error });
}

describe('BX-39 spooled mcp', () => {
  it('lets an agent find a cause and replay it in stages, without touching anything else', async () => {
    const [queue, other] = [newQueue(), newQueue()];
    await deadLetters(queue, 4, 'certificate has expired');
    await deadLetters(other, 3, 'card declined');
    const agent = await connect();
    expect(await json(agent, 'problems')).toMatchObject({ problems: expect.any(Array) });
    const groups = (await json(agent, 'dead_letter_groups')) as {
      id: string;
      error: string;
      sample: { job_id: string };
    }[];
    const group = groups.find(({ error }) => error.includes('certificate'))!;
    expect(await json(agent, 'job_timeline', { id: group.sample.job_id })).toMatchObject({
      attempts: [{ error: 'certificate has expired' }],
    });
    expect(await json(agent, 'search_jobs', { search: `queue:${queue} error~certificate` })).toHaveLength(4);

    const preview = await json(agent, 'preview_replay', { group_id: group.id });
    expect(preview).toMatchObject({ count: 4, has_more: false });
    expect(JSON.stringify(preview)).not.toContain('of a customer');
    expect(await client.jobs.stats(queue)).toMatchObject({ deadletter: 4 });
    const args = { preview_id: preview.preview_id, hold_seconds: 10, stages: [1, 3] };
    const { operation } = await json(agent, 'replay_dead_letters', args);
    expect(operation).toMatchObject({ state: 'held', options: { stages: [1, 3], max_failure_share: 0.1 } });
    const worker = new Worker(client, { queues: { [queue]: () => 'done' } });
    await worker.start();
    try {
      await eventually(
        async () =>
          expect(await json(agent, 'operation', { id: operation.id })).toMatchObject({
            state: 'completed',
            succeeded: 4,
          }),
        { timeoutMs: 40_000 },
      );
    } finally {
      await worker.stop(0);
    }
    expect(await client.jobs.stats(queue)).toMatchObject({ deadletter: 0, completed: 4 });
    expect(await client.jobs.stats(other)).toMatchObject({ deadletter: 3 });
    expect(await json(agent, 'budget')).toEqual({ changes: 19, jobs: 996 });
  }, 60_000);

  it('needs a dry run for each replay, which can be undone while it is held', async () => {
    const queue = newQueue();
    await deadLetters(queue, 2, 'timeout');
    const agent = await connect();
    const unknown = await call(agent, 'replay_dead_letters', { preview_id: randomUUID() });
    expect(unknown).toEqual({ isError: true, text: expect.stringContaining('call preview_replay first') });
    const { preview_id } = await json(agent, 'preview_replay', { queue });
    // Two at the same time are one.
    const both = await Promise.all([1, 2].map(() => call(agent, 'replay_dead_letters', { preview_id })));
    expect(both.map(({ isError }) => isError).sort()).toEqual([false, true]);
    const { operation } = JSON.parse(both.find(({ isError }) => !isError)!.text) as { operation: { id: string } };
    expect(await json(agent, 'cancel_operation', { id: operation.id })).toMatchObject({
      state: 'cancelled',
      processed: 0,
    });
    expect(await client.jobs.stats(queue)).toMatchObject({ deadletter: 2 });
  });

  it('refuses more than the budget, and a replay of what died after the dry run', async () => {
    const queue = newQueue();
    await deadLetters(queue, 3, 'timeout');
    const agent = await connect('--max-jobs', '2');
    const { preview_id } = await json(agent, 'preview_replay', { queue });
    const refused = await call(agent, 'replay_dead_letters', { preview_id });
    expect(refused).toEqual({ isError: true, text: expect.stringContaining('allows 2 more jobs, not 3') });
    const generous = await connect();
    const later = await json(generous, 'preview_replay', { queue });
    await deadLetters(queue, 2, 'timeout');
    const { operation } = await json(generous, 'replay_dead_letters', { preview_id: later.preview_id });
    expect(operation.filter.dead_before).toEqual(expect.any(String));
    await client.operations.cancel(operation.id);
    expect(await json(generous, 'budget')).toMatchObject({ jobs: 997 });
  });

  it.each([
    ['preview_replay', { queueName: 'a' }],
    ['preview_replay', {}],
    ['search_jobs', { search: 'nope:1' }],
    ['search_jobs', { search: 'queue:a', limit: 1_000 }],
    ['replay_dead_letters', { preview_id: randomUUID(), hold_seconds: 0 }],
    ['pause_queue', { queue: 'a', reason: 'x', duration_seconds: 86_400 }],
    ['cancel_operation', { id: randomUUID() }],
    ['explain_job', { id: 'x' }],
  ])('refuses %s with %j', async (name, args) => {
    const agent = await connect();
    expect(await call(agent, name, args)).toMatchObject({ isError: true });
    expect(await json(agent, 'budget')).toEqual({ changes: 20, jobs: 1_000 });
  });

  it('has no tool that changes anything with --read-only', async () => {
    const { tools } = await (await connect('--read-only')).listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    expect(tools.map(({ name }) => name)).toContain('explain_job');
  });

  it('ends when its input ends, and prints nothing but the protocol', async () => {
    const started = new CliProcess(['mcp'], env);
    started.child.stdin.end();
    expect(await started.result()).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it.each([1, 2, 3])('loses nothing to an agent that calls at random (seed %i)', async (seed) => {
    const random = new SeededRandom(seed);
    const [queue, paused] = [newQueue(), newQueue()];
    await deadLetters(queue, 5, 'timeout');
    await client.queues.configure(paused, { maxRetries: 1 });
    await client.queues.pause(paused, 'by a person');
    const foreign = await client.deadLetters.replay({ queueName: queue, holdSeconds: 600 });
    const agent = await connect('--max-jobs', '4', '--max-changes', '6');
    const known = [randomUUID(), foreign.id];
    const one = <T>(values: readonly T[]): T => random.of(values)!;
    for (let i = 0; i < 40; i++) {
      const [name, args] = one<[string, Record<string, unknown>]>([
        ['preview_replay', one([{ queue }, { queue, all: true }, {}, { job_type: 'x' }])],
        ['replay_dead_letters', { preview_id: one(known), ...one([{}, { hold_seconds: 600 }, { all: true }]) }],
        ['cancel_operation', { id: one(known) }],
        ['pause_queue', { queue: one([queue, paused]), reason: 'x' }],
        ['resume_queue', { queue: one([queue, paused]) }],
      ]);
      const { text } = await call(agent, name, args);
      known.push(...(text.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []));
    }
    expect((await client.queues.get(paused)).pause).toMatchObject({ reason: 'by a person', expiresAt: null });
    expect(await client.operations.get(foreign.id)).toMatchObject({ state: 'held' });
    expect(await client.jobs.stats(queue)).toMatchObject({ deadletter: 5 });
    const { changes, jobs } = await json(agent, 'budget');
    expect(changes).toBeGreaterThanOrEqual(0);
    expect(jobs).toBeGreaterThanOrEqual(0);
    await client.operations.cancel(foreign.id);
  });
});
