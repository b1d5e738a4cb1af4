import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Spooled, Worker } from '@spooled/sdk';
import { asSuperuser, createTenant, eventually } from '@spooled/testing';
import { CliProcess, CliRun } from './cli-process.js';
import { newQueue } from './job-steps.js';
import { McpAgent } from './mcp-agent.js';
import { makeDeadLetters } from './mcp-attack.js';
import { useStack } from './use-rest.js';

const stack = useStack();
let client: Spooled;
let env: Record<string, string>;
const ends: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const { key } = await createTenant(stack.databaseUrls.superuserUrl);
  client = new Spooled({ baseUrl: stack.baseUrl, apiKey: key });
  env = { SPOOLED_URL: stack.baseUrl, SPOOLED_API_KEY: key };
});
afterEach(() => Promise.all(ends.splice(0).map((end) => end())));

/** An agent of `spooled mcp` in this process. */
async function connect(...options: string[]): Promise<McpAgent> {
  const started = new CliRun(['mcp', ...options], env);
  const agent = await McpAgent.overStreams(started);
  ends.push(async () => {
    await agent.client.close();
    started.streams.stdin.end();
    expect(await started.result()).toMatchObject({ code: 0, stderr: '' });
  });
  return agent;
}

/** An agent that has started the built program. */
async function connectProcess(): Promise<McpAgent> {
  const args = [resolve('dist/cli/spooled.js'), 'mcp'];
  const agent = await McpAgent.over(new StdioClientTransport({ command: process.execPath, args, env }));
  ends.push(() => agent.client.close());
  return agent;
}

/** Lets an operation begin now. */
const endHold = (id: string) =>
  asSuperuser(
    stack.databaseUrls.superuserUrl,
    'UPDATE operations SET starts_at = current_ts(now()), next_step_at = current_ts(now()) WHERE id = $1',
    [id],
  );

describe('BX-39 spooled mcp', () => {
  it('lets an agent find a cause and replay it in stages, without touching anything else', async () => {
    const [queue, other] = [newQueue(), newQueue()];
    await makeDeadLetters(client, queue, 4, 'certificate has expired');
    await makeDeadLetters(client, other, 3, 'card declined');
    const agent = await connectProcess();
    expect(await agent.json('problems')).toMatchObject({ problems: expect.any(Array) });
    const groups = (await agent.json('dead_letter_groups')) as {
      id: string;
      error: string;
      sample: { job_id: string };
    }[];
    const group = groups.find(({ error }) => error.includes('certificate'))!;
    expect(await agent.json('job_timeline', { id: group.sample.job_id })).toMatchObject({
      attempts: [{ error: 'certificate has expired' }],
    });
    const query = { search: `queue:${queue} error~certificate`, limit: 3 };
    const first = await agent.json('search_jobs', query);
    const rest = await agent.json('search_jobs', { ...query, cursor: first.next_cursor });
    expect([first.jobs.length, rest.jobs.length, rest.next_cursor]).toEqual([3, 1, null]);
    const parts = async (input: object) => {
      const { content } = await agent.client.callTool({ name: 'dead_letter_groups', arguments: { ...input } });
      return (content as { text: string }[]).slice(1).map(({ text }) => text);
    };
    expect([await parts({ queue }), await parts({ limit: 1 })]).toEqual([[], [expect.stringContaining('not all')]]);

    const preview = await agent.json('preview_replay', { group_id: group.id });
    expect(preview).toMatchObject({ count: 4, has_more: false });
    expect(JSON.stringify(preview)).not.toContain('of a customer');
    expect(await client.jobs.stats(queue)).toMatchObject({ deadletter: 4 });
    const args = { preview_id: preview.preview_id, hold_seconds: 600, stages: [1, 3] };
    const { operation } = await agent.json('replay_dead_letters', args);
    expect(operation).toMatchObject({ state: 'held', options: { stages: [1, 3], max_failure_share: 0.1 } });
    await endHold(operation.id);
    const worker = new Worker(client, { queues: { [queue]: () => 'done' } });
    await worker.start();
    try {
      await eventually(async () =>
        expect(await agent.json('operation', { id: operation.id })).toMatchObject({ state: 'completed', succeeded: 4 }),
      );
    } finally {
      await worker.stop(0);
    }
    expect(await client.jobs.stats(queue)).toMatchObject({ deadletter: 0, completed: 4 });
    expect(await client.jobs.stats(other)).toMatchObject({ deadletter: 3 });
    expect(await agent.json('budget')).toEqual({ changes: 19, jobs: 996 });
  });

  it('needs a dry run for each replay, which can be undone while it is held', async () => {
    const queue = newQueue();
    await makeDeadLetters(client, queue, 2, 'timeout');
    const agent = await connect();
    const unknown = await agent.call('replay_dead_letters', { preview_id: randomUUID() });
    expect(unknown).toEqual({ isError: true, text: expect.stringContaining('call preview_replay first') });
    const { preview_id } = await agent.json('preview_replay', { queue });
    // Two at the same time are one.
    const both = await Promise.all([1, 2].map(() => agent.call('replay_dead_letters', { preview_id })));
    expect(both.map(({ isError }) => isError).sort()).toEqual([false, true]);
    const { operation } = JSON.parse(both.find(({ isError }) => !isError)!.text) as { operation: { id: string } };
    expect(await agent.json('cancel_operation', { id: operation.id })).toMatchObject({
      state: 'cancelled',
      processed: 0,
    });
    expect(await client.jobs.stats(queue)).toMatchObject({ deadletter: 2 });
  });

  it('refuses more than the budget, and a replay of what died after the dry run', async () => {
    const queue = newQueue();
    await makeDeadLetters(client, queue, 3, 'timeout');
    const agent = await connect('--max-jobs', '2');
    const { preview_id } = await agent.json('preview_replay', { queue });
    const refused = await agent.call('replay_dead_letters', { preview_id });
    expect(refused).toEqual({ isError: true, text: expect.stringContaining('allows 2 more jobs, not 3') });
    const generous = await connect();
    const later = await generous.json('preview_replay', { queue });
    await makeDeadLetters(client, queue, 2, 'timeout');
    const { operation } = await generous.json('replay_dead_letters', { preview_id: later.preview_id });
    // By the clock of the server.
    expect(operation.filter.dead_before).toBe(later.as_of);
    await client.operations.cancel(operation.id);
    expect(await generous.json('budget')).toMatchObject({ jobs: 997 });
  });

  it("refuses what is unknown, too much or nobody's, and spends nothing for it", async () => {
    const agent = await connect();
    const refused: [string, Record<string, unknown>][] = [
      ['preview_replay', { queueName: 'a' }],
      ['preview_replay', {}],
      ['search_jobs', { search: 'nope:1' }],
      ['search_jobs', { search: 'queue:a', limit: 1_000 }],
      ['replay_dead_letters', { preview_id: randomUUID(), hold_seconds: 0 }],
      ['pause_queue', { queue: 'a', reason: 'x', duration_seconds: 86_400 }],
      ['cancel_operation', { id: randomUUID() }],
      ['explain_job', { id: 'x' }],
    ];
    for (const [name, args] of refused)
      expect([name, args, await agent.call(name, args)]).toEqual([
        name,
        args,
        expect.objectContaining({ isError: true }),
      ]);
    expect(await agent.json('budget')).toEqual({ changes: 20, jobs: 1_000 });
  });

  it('has no tool that changes anything with --read-only', async () => {
    const { tools } = await (await connect('--read-only')).client.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    expect(tools.map(({ name }) => name)).toContain('explain_job');
  });

  it('answers what was asked before its input ended', async () => {
    const started = new CliRun(['mcp'], env);
    const clientInfo = { name: 'spec', version: '1' };
    const messages = [
      { id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
      { method: 'notifications/initialized' },
      { id: 1, method: 'tools/call', params: { name: 'problems', arguments: {} } },
    ];
    started.streams.stdin.end(messages.map((each) => `${JSON.stringify({ jsonrpc: '2.0', ...each })}\n`).join(''));
    const { code, stdout } = await started.result();
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; result: object });
    expect([code, answers.map(({ id }) => id)]).toEqual([0, [0, 1]]);
    expect(answers[1]!.result).toMatchObject({ content: [{ text: expect.stringContaining('problems') }] });
  });

  it('shows an agent no text that people cannot see', async () => {
    const queue = newQueue();
    await makeDeadLetters(client, queue, 1, 'timed out\u{e0049}\u{e0067}\u202e');
    const { text } = await (await connect()).call('dead_letter_groups', { queue });
    expect(text).toContain('timed out\\udb40\\udc49\\udb40\\udc67\\u202e');
  });

  it('ends after a message that is too long', async () => {
    const started = new CliRun(['mcp'], env);
    started.streams.stdin.write('a'.repeat(20_000_000));
    expect(await started.result()).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('exceeded') });
  });

  it('ends when its input ends, and prints nothing but the protocol', async () => {
    const started = new CliProcess(['mcp'], env);
    started.child.stdin.end();
    expect(await started.result()).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });
});
