import { Spooled } from '@spooled/sdk';
import { createTenant, Receiver, SeededRandom } from '@spooled/testing';
import { CliProcess, CliRun } from './cli-process.js';
import { newQueue } from './job-steps.js';
import { McpAgent } from './mcp-agent.js';
import { attack, expectUnharmed, makeDeadLetters, makePrey } from './mcp-attack.js';
import { mcpOverHttp, startMcpServer, urlForAgents } from './mcp-http-server.js';
import { useRest } from './use-rest.js';

const { stack, tenant } = useRest();
let client: Spooled;
let url: string;
let stop: (() => Promise<void>) | undefined;
const agents: McpAgent[] = [];

beforeAll(async () => {
  client = new Spooled({ baseUrl: stack.baseUrl, apiKey: tenant.key });
  ({ url, stop } = await startMcpServer({ SPOOLED_URL: stack.baseUrl }, '--max-changes', '100'));
});
afterEach(() => Promise.all(agents.splice(0).map((agent) => agent.client.close())));
afterAll(() => stop?.());

async function connect(key: string): Promise<McpAgent> {
  const agent = await McpAgent.overHttp(url, key);
  agents.push(agent);
  return agent;
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'spec', version: '1' } },
};

/** The status and the message of a request that is no agent's. */
async function request(
  headers: Record<string, string>,
  { at = url, method = 'POST', body = initialize as object } = {},
) {
  const response = await fetch(at, {
    method,
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  });
  const { error } = (await response.json()) as { error?: { message: string } };
  return [response.status, error?.message];
}

describe('BX-39 spooled mcp --http', () => {
  it('gives each agent the rights of its own key', async () => {
    const queue = newQueue();
    await makeDeadLetters(client, queue, 2, 'certificate has expired');
    await client.queues.configure(queue, { maxRetries: 1 });
    const [operator, viewer] = await Promise.all(
      (['operator', 'viewer'] as const).map(async (role) => connect(await tenant.keyAs(role))),
    );
    expect(await viewer!.json('dead_letter_groups', { queue })).toMatchObject([{ count: 2 }]);
    const act = { queue, reason: 'slow' };
    expect(await viewer!.call('pause_queue', act)).toMatchObject({
      isError: true,
      text: expect.stringContaining('role'),
    });
    expect(await operator!.json('pause_queue', act)).toMatchObject({ paused: true });
    expect(await operator!.json('resume_queue', { queue })).toMatchObject({ resumed: true });
  });

  it('has one budget for all sessions of a key', async () => {
    const key = await tenant.keyAs('operator');
    const queue = newQueue();
    await client.queues.configure(queue, { maxRetries: 1 });
    const [first, second] = [await connect(key), await connect(key)];
    await first.json('pause_queue', { queue, reason: 'x' });
    expect(await second.json('budget')).toEqual({ changes: 99, jobs: 1_000 });
    // What is its own to undo is of the session alone.
    expect(await second.call('resume_queue', { queue })).toMatchObject({ isError: true });
    expect(await (await connect(await tenant.keyAs('operator'))).json('budget')).toEqual({ changes: 100, jobs: 1_000 });
  });

  it('refuses requests without a key, of others, of web pages, and what it does not serve', async () => {
    const own = { authorization: `Bearer ${tenant.key}` };
    expect(await request({})).toEqual([401, expect.stringContaining('Bearer <key>')]);
    const worker = { authorization: `Bearer ${await tenant.keyAs('worker')}` };
    expect(await request(worker)).toEqual([403, expect.stringContaining('role')]);
    expect(await request({ authorization: 'Bearer sk_test_unknown' })).toEqual([401, expect.any(String)]);
    expect(await request({ ...own, origin: 'https://evil.example' })).toEqual([403, expect.any(String)]);
    expect(await request(own, { method: 'GET' })).toEqual([405, expect.any(String)]);
    expect(await request(own, { at: new URL('/other', url).href })).toEqual([404, expect.stringContaining('/mcp')]);
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect(await request(own, { body: list })).toEqual([400, expect.any(String)]);
    expect(await request(own, { body: { ...initialize, more: 'x'.repeat(300_000) } })).toEqual([
      413,
      expect.any(String),
    ]);
  });

  it('refuses a session with the key of somebody else, and one that has ended', async () => {
    const agent = await connect(tenant.key);
    const { sessionId } = agent.client.transport!;
    const as = (key: string) =>
      request(
        { authorization: `Bearer ${key}`, 'mcp-session-id': sessionId! },
        { body: { jsonrpc: '2.0', id: 2, method: 'tools/list' } },
      );
    const other = await createTenant(stack.databaseUrls.superuserUrl);
    expect(await as(other.key)).toEqual([404, expect.stringContaining('no such session')]);
    expect(await as(tenant.key)).toEqual([200, undefined]);
    await fetch(url, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${tenant.key}`, 'mcp-session-id': sessionId! },
    });
    expect(await as(tenant.key)).toEqual([404, expect.any(String)]);
  });

  it('says with 503 that the API does not answer', async () => {
    const alone = await startMcpServer({ SPOOLED_URL: 'http://127.0.0.1:1' });
    try {
      expect(await request({ authorization: 'Bearer sk_test_any' }, { at: alone.url })).toEqual([
        503,
        expect.stringContaining('spooled doctor'),
      ]);
    } finally {
      await alone.stop();
    }
  });

  it('asks the API once about a key, and about few keys at a time', async () => {
    const api = await Receiver.open();
    const held: (() => void)[] = [];
    api.respond = (_call, response) =>
      void held.push(() => response.writeHead(429, { 'retry-after': '1' }).end('{"code":"RATE_LIMIT_EXCEEDED"}'));
    const alone = await startMcpServer({ SPOOLED_URL: new URL(api.url()).origin });
    try {
      const ask = (n: number) => request({ authorization: `Bearer sk_test_${n}` }, { at: alone.url });
      const waiting = Array.from({ length: 16 }, (_, n) => ask(n));
      await api.received(16);
      expect(await ask(16)).toEqual([503, expect.stringContaining('Too many keys')]);
      for (const answer of held) answer();
      expect((await Promise.all(waiting)).map(([status]) => status)).toEqual(Array.from({ length: 16 }, () => 429));
      expect(api.calls).toHaveLength(16);
    } finally {
      await alone.stop();
      await api.close();
    }
  });

  it('loses nothing to agents that call at random', async () => {
    const prey = await makePrey(client);
    await Promise.all(
      [11, 12, 13, 14, 15, 16].map(async (seed) => {
        await attack(await connect(await tenant.keyAs('operator')), new SeededRandom(seed), prey, 15);
      }),
    );
    await expectUnharmed(client, prey);
    await client.operations.cancel(prey.replay);
  });

  it('ends with its sessions on SIGTERM', async () => {
    const own = new CliProcess(mcpOverHttp, { SPOOLED_URL: stack.baseUrl });
    const agent = await McpAgent.overHttp(await urlForAgents(own), tenant.key);
    own.child.kill('SIGTERM');
    expect(await own.result()).toMatchObject({ code: 143, stdout: '' });
    await expect(agent.call('budget')).rejects.toThrow();
    await agent.client.close();
  });

  it.each([
    [['--port', '70000'], 'whole number from 0 to 65535'],
    [['--host', '203.0.113.1'], 'cannot be used'],
  ])('refuses %j', async (options, text) => {
    const refused = new CliRun(['mcp', ...options], { SPOOLED_URL: stack.baseUrl });
    expect(await refused.result()).toMatchObject({ code: 2, stderr: expect.stringContaining(text) });
  });
});
