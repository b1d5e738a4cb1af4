import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Spooled, verifyWebhook } from '@spooled/sdk';
import { createTenant, eventually, Receiver, useFolder } from '@spooled/testing';
import { CliRun, cliFor } from './cli-process.js';
import { newQueue } from './job-steps.js';
import { useStack } from './use-rest.js';

const stack = useStack();
let client: Spooled;
let env: NodeJS.ProcessEnv;
let run: ReturnType<typeof cliFor>;
const folder = useFolder();

beforeAll(async () => {
  // A tenant of its own: --prune deletes what a file does not have.
  const { key } = await createTenant(stack.databaseUrls.superuserUrl);
  client = new Spooled({ baseUrl: stack.baseUrl, apiKey: key });
  env = { SPOOLED_URL: stack.baseUrl, SPOOLED_API_KEY: key, SPOOLED_CONFIG: join(folder, 'none.json') };
  run = cliFor(env);
});

describe('BX-17 spooled apply', () => {
  const applied = (text: string, args: string[] = [], more: NodeJS.ProcessEnv = {}) =>
    run(['apply', '-f', '-', '--output', 'json', ...args], { input: text, more });
  const plan = async (text: string, args: string[] = [], more: NodeJS.ProcessEnv = {}) => {
    const { code, stdout, stderr } = await applied(text, args, more);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    return JSON.parse(stdout) as { changes: { action: string; kind: string; name: string }[]; unchanged: number };
  };
  const manifest = (queue: string, rate = 5) => `
queues:
  ${queue}:
    max_retries: 4
    rate_limit: ${rate}
    settings: { concurrency: 3, note: kept }
schedules:
  nightly:
    cron_expression: 0 2 * * *
    queue_name: ${queue}
    payload_template: { account: 9007199254740993 }
webhooks:
  alerts:
    url: https://hooks.example.com/x
    events: [job.failed, job.deadlettered]
    secret: \${ALERT_SECRET}
`;

  const secret = { ALERT_SECRET: 'a-secret-of-the-environment' };

  it('shows a plan and asks, and changes nothing before the answer; a secret is never shown', async () => {
    const queue = newQueue();
    const dry = await applied(manifest(queue), ['--dry-run'], secret);
    expect(dry.stdout).not.toContain(secret.ALERT_SECRET);
    expect(JSON.parse(dry.stdout)).toMatchObject({
      changes: [
        { action: 'create', kind: 'queue', name: queue },
        { action: 'create', kind: 'schedule', name: 'nightly' },
        { action: 'create', kind: 'webhook', name: 'alerts' },
      ],
    });
    expect(await client.schedules.list()).toEqual([]);
    const unanswered = await applied(manifest(queue), [], secret);
    expect([unanswered.code, unanswered.stderr]).toEqual([2, expect.stringContaining('Apply 3 changes?')]);
    expect(await client.schedules.list()).toEqual([]);
  });

  it('creates what is missing, and then changes only what differs', async () => {
    const queue = newQueue();
    await plan(manifest(queue), ['--yes'], secret);
    expect(await client.queues.get(queue)).toMatchObject({ maxRetries: 4, rateLimit: 5, settings: { concurrency: 3 } });
    expect(await client.schedules.list()).toMatchObject([{ payloadTemplate: { account: 9007199254740993n } }]);
    expect(await plan(manifest(queue), ['--yes'], secret)).toEqual({ changes: [], unchanged: 3 });
    expect(await plan(manifest(queue, 9), ['--yes'], secret)).toMatchObject({
      changes: [{ action: 'change', kind: 'queue', changes: [{ member: 'rate_limit', from: 5, to: 9 }] }],
      unchanged: 2,
    });
    expect((await client.queues.get(queue)).rateLimit).toBe(9);
  });

  it('prunes only sections that the file has, and no queue with jobs', async () => {
    const [kept, idle, busy] = [newQueue(), newQueue(), newQueue()];
    for (const name of [kept, idle, busy]) await client.queues.configure(name, { maxRetries: 1 });
    await client.jobs.create({ queueName: busy, payload: {} });
    const webhook = { name: randomUUID(), url: 'https://hooks.example.com/y', events: ['job.failed' as const] };
    const { id } = await client.outgoingWebhooks.create(webhook);
    const text = `queues: { ${kept}: { max_retries: 1 } }`;
    const planned = await plan(text, ['--prune', '--dry-run']);
    expect(planned.changes.map(({ action, name }) => [action, name])).toEqual(
      expect.arrayContaining([
        ['delete', idle],
        ['delete', busy],
      ]),
    );
    expect(planned.changes.every(({ kind, action }) => kind === 'queue' && action === 'delete')).toBe(true);
    expect((await applied(text, ['--prune', '--yes'])).code).toBe(1);
    expect(await client.queues.get(busy)).toMatchObject({ queueName: busy });
    expect(await client.outgoingWebhooks.get(id)).toMatchObject({ name: webhook.name });
  });

  it('says which change was refused, and how many were made', async () => {
    const [first, second] = [newQueue(), newQueue()];
    const text = `queues: { ${first}: { max_retries: 1 }, ${second}: { max_retries: 100000 }, ${newQueue()}: {} }`;
    const { code, stderr } = await applied(text, ['--yes']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(
        `^Created queue ${first}\\nspooled: queue ${second}: max_retries.+ Before that: 1 of 3 changes were made\\.\\n$`,
      ),
    );
  });

  it('leaves one of what another created at the same time, the oldest', async () => {
    const name = randomUUID();
    const schedule = { cronExpression: '0 2 * * *', queueName: newQueue(), payloadTemplate: {} };
    const webhook = { url: 'https://hooks.example.com/x', events: ['job.failed' as const] };
    const file = join(folder, 'doubles.yaml');
    writeFileSync(
      file,
      `schedules: { ${name}: { cron_expression: ${schedule.cronExpression}, queue_name: ${schedule.queueName} } }
webhooks: { ${name}: { url: "${webhook.url}", events: [job.failed] } }`,
    );
    const applying = new CliRun(['apply', '-f', file], env);
    Object.assign(applying.streams.stdin, { isTTY: true });
    await eventually(() => expect(applying.stderr).toContain('Apply 2 changes?'));
    const others = [
      await client.schedules.create({ name, ...schedule }),
      await client.outgoingWebhooks.create({ name, ...webhook }),
    ];
    applying.streams.stdin.write('y\n');
    const { code, stderr } = await applying.result();
    expect([code, stderr]).toEqual([0, expect.stringContaining(`Deleted a second schedule ${name}`)]);
    const lists = [await client.schedules.list({ limit: 100 }), await client.outgoingWebhooks.list({ limit: 100 })];
    const left = lists.map((list: { id: string; name: string }[]) => list.filter((each) => each.name === name));
    expect(left).toMatchObject(others.map(({ id }) => [{ id }]));
  });

  it('changes nothing that the plan does not show, and shows no variable of the environment', async () => {
    const receiver = await Receiver.open();
    const name = randomUUID();
    const variables = { SECRET: `first-${randomUUID()}`, HOOK: receiver.url('/first') };
    const file = `webhooks: { ${name}: { url: "\${HOOK}", events: [job.failed], secret: "\${SECRET}" } }`;
    await plan(file, ['--yes'], variables);
    const moved = { SECRET: `second-${randomUUID()}`, HOOK: receiver.url('/second') };
    const shown = await plan(file, ['--yes'], moved);
    expect(shown.changes).toEqual([
      { action: 'change', kind: 'webhook', name, changes: [{ member: 'url', from: '(not shown)', to: '${HOOK}' }] },
    ]);
    const webhook = (await client.outgoingWebhooks.list({ limit: 100 })).find((each) => each.name === name)!;
    await client.outgoingWebhooks.test(webhook.id);
    await receiver.close();
    const { path, headers, body } = receiver.calls[0]!;
    expect(path).toBe('/second');
    const signature = String(headers['x-spooled-signature']);
    const timestamp = String(headers['x-spooled-timestamp']);
    expect(verifyWebhook({ body, signature, timestamp, secret: variables.SECRET })).toBe(true);
  });

  it('sends the headers of a queue again with a new URL, with which the server forgets them', async () => {
    const queue = newQueue();
    const file = (path: string) =>
      `queues: { ${queue}: { settings: { push: true, callback_url: "https://hooks.example.com/${path}", callback_headers: { x: "\${SECRET}" } } } }`;
    await plan(file('a'), ['--yes'], { SECRET: 's' });
    expect(await plan(file('b'), ['--dry-run'], { SECRET: 's' })).toMatchObject({
      changes: [
        { changes: [{ member: 'settings.callback_url' }, { member: 'settings.callback_headers', to: '(secret)' }] },
      ],
    });
  });

  it.each([
    ['queues: { a: { max_retrys: 1 } }', 'queues.a.max_retrys is unknown'],
    ['queue: { a: {} }', '"queue" is unknown'],
    ['queues: { a: {}, a: {} }', 'Map keys must be unique'],
    ['webhooks: { a: { secret: "${NOT_SET_ANYWHERE}" } }', 'webhooks.a.secret needs the variable NOT_SET_ANYWHERE'],
    ['- a', 'has no queues, schedules or webhooks'],
  ])('refuses %s before it changes anything', async (text, message) => {
    const { code, stdout, stderr } = await applied(text, ['--yes']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^spooled: [^\n]+\n$/);
    expect(stderr).toContain(message);
  });
});

describe('BX-17 spooled webhooks listen', () => {
  it('prints headers and the raw body, and verifies the signature', async () => {
    const secret = 'a secret between both';
    const listening = new CliRun(['webhooks', 'listen', '--port', '0', '-o', 'jsonl'], {
      ...env,
      SPOOLED_WEBHOOK_SECRET: secret,
    });
    const url = await eventually(() => /Listening on (\S+)\./.exec(listening.stderr)![1]!);
    const { id } = await client.outgoingWebhooks.create({
      name: randomUUID(),
      url: `${url}/hook`,
      events: ['job.created'],
      secret,
    });
    expect(await client.outgoingWebhooks.test(id)).toMatchObject({ statusCode: 200 });
    await fetch(`${url}/binary`, { method: 'POST', body: Buffer.from([0xff, 0x00]) });
    await fetch(`${url}/other`, { method: 'PUT', body: '{"a": 1}\u001b[2J', headers: { 'X-Spooled-Signature': 'no' } });
    const calls = await eventually(() => {
      const lines = listening.stdout.trim().split('\n');
      expect(lines).toHaveLength(3);
      return lines.map((line) => JSON.parse(line) as { body: string; path: string });
    });
    expect(calls).toMatchObject([
      { method: 'POST', path: '/hook', signature: 'signature valid', body_encoding: 'utf8' },
      { path: '/binary', body: '/wA=', body_encoding: 'base64', signature: 'no signature' },
      { method: 'PUT', path: '/other', body: '{"a": 1}\u001b[2J', signature: 'signature NOT valid' },
    ]);
    listening.interrupt();
    expect((await listening.result()).code).toBe(130);
  });

  it('says that its port is in use', async () => {
    const { port } = new URL(stack.baseUrl);
    const { code, stderr } = await run(['webhooks', 'listen', '--port', port]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('EADDRINUSE')]);
  });
});

describe('BX-17 spooled webhooks resend', () => {
  let receiver: Receiver;
  beforeEach(async () => void (receiver = await Receiver.open()));
  afterEach(() => receiver.close());

  /** A webhook whose receiver has refused these deliveries until the last attempt. */
  async function failedDeliveries(count: number): Promise<string> {
    receiver.respond = (_call, response) => response.writeHead(500).end('out of order \u001b[2J');
    const body = { name: randomUUID(), url: receiver.url(), events: ['job.created' as const], retrySeconds: 0 };
    const { id } = await client.outgoingWebhooks.create(body);
    const jobs = Array.from({ length: count }, () => ({ payload: {} }));
    await client.jobs.createMany({ queueName: newQueue(), jobs });
    await eventually(async () => {
      const list = await client.outgoingWebhooks.deliveries(id);
      expect(list.map(({ status }) => status)).toEqual(Array.from({ length: count }, () => 'failed'));
    });
    receiver.respond = (_call, response) => response.end();
    receiver.calls.length = 0;
    return id;
  }

  it('sends what has failed again after a dry run and a question, once', async () => {
    const resend = ['webhooks', 'resend', await failedDeliveries(2), '--since', '1h'];
    const dry = await run([...resend, '--dry-run', '--output', 'json']);
    expect(JSON.parse(dry.stdout)).toMatchObject({ count: 2, has_more: false, sample: [{ status_code: 500 }, {}] });
    expect(await run([...resend, '--dry-run'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ID .+\n\S+ +job\.created +500 +/),
      stderr: 'Dry run: 2 deliveries match, nothing was changed.\n',
    });
    const refused = await run(resend);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/Send 2 deliveries since .+ --yes/)]);
    expect(receiver.calls).toEqual([]);

    const sent = await run([...resend, '--yes', '--wait', '--output', 'json']);
    expect([sent.code, JSON.parse(sent.stdout)]).toMatchObject([
      0,
      { kind: 'delivery.resend', state: 'completed', total: 2, processed: 2, succeeded: 2 },
    ]);
    await receiver.received(2);
    const again = await run([...resend, '--yes']);
    expect(again).toMatchObject({ code: 0, stdout: '', stderr: 'No delivery matches; nothing was changed.\n' });
  });

  it('takes the events and the time that it names, is held, and sends nothing for what it does not know', async () => {
    const id = await failedDeliveries(1);
    const resend = (...args: string[]) => run(['webhooks', 'resend', id, ...args, '--output', 'json']);
    const count = async (...args: string[]) =>
      (JSON.parse((await resend('--since', '1h', '--dry-run', ...args)).stdout) as { count: number }).count;
    expect([await count('--event', 'job.created'), await count('--event', 'job.failed')]).toEqual([1, 0]);
    expect(await count('--until', '30m')).toBe(0);
    const held = await resend('--since', '1h', '--hold', '600', '--per-second', '5', '--yes');
    const { id: operation, state, options } = JSON.parse(held.stdout) as { id: string; state: string; options: object };
    expect([state, options]).toEqual(['held', { per_second: 5 }]);
    expect((await run(['operations', 'cancel', operation])).code).toBe(0);

    expect(await resend('--yes')).toMatchObject({ code: 2, stderr: expect.stringContaining('--since') });
    expect(await resend('--since', 'yesterday', '--yes')).toMatchObject({ code: 2 });
    expect(await resend('--since', '1h', '--event', 'job.creatd', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('event'),
    });
    await client.outgoingWebhooks.update(id, { enabled: false });
    expect(await resend('--since', '1h', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('disabled'),
    });
    expect(receiver.calls).toEqual([]);
  });
});

describe('BX-17 completion', () => {
  const words = async (...typed: string[]) => (await run(['complete-words', '--', ...typed])).stdout.trim().split('\n');

  it('knows commands, options and their choices', async () => {
    expect(await words('sched')).toEqual(['schedules']);
    expect(await words('jobs', 'e')).toEqual(['enqueue', 'explain']);
    expect(await words('jobs', 'list', '--sea')).toEqual(['--search']);
    expect(await words('jobs', 'list', '--status', 'pe')).toEqual(['pending']);
    expect(await words('jobs', 'list', '-o', 'json')).toEqual(['json', 'jsonl']);
    expect(await words('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(await words('')).not.toContain('complete-words');
  });

  it('works in bash', async () => {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    symlinkSync(resolve('dist/cli/spooled.js'), join(bin, 'spooled'));
    symlinkSync(process.execPath, join(bin, 'node'));
    const script = (await run(['completion', 'bash'])).stdout;
    const line = `${script}\nCOMP_WORDS=(spooled dlq re) COMP_CWORD=2; _spooled; echo "\${COMPREPLY[@]}"`;
    const found = execFileSync('bash', ['--norc', '-c', line], { env: { ...env, PATH: `${bin}:${process.env.PATH}` } });
    expect(found.toString().trim()).toBe('replay');
  });
});
