import { randomUUID } from 'node:crypto';
import { openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Spooled } from '@spooled/sdk';
import { eventually, useFolder } from '@spooled/testing';
import { CliProcess, cliFor } from './cli-process.js';
import { newQueue } from './job-steps.js';
import { useStack } from './use-rest.js';

const stack = useStack();
let client: Spooled;
let run: ReturnType<typeof cliFor>;
const folder = useFolder();

beforeAll(async () => {
  client = new Spooled({ baseUrl: stack.baseUrl, apiKey: stack.apiKey });
  run = cliFor({
    SPOOLED_URL: stack.baseUrl,
    SPOOLED_API_KEY: stack.apiKey,
    SPOOLED_CONFIG: join(folder, 'none.json'),
  });
});

describe('BX-17 profiles of the command line', () => {
  const file = () => join(folder, 'profiles', 'config.json');
  const withProfiles = (args: string[], input = '', more: NodeJS.ProcessEnv = {}) =>
    cliFor({ SPOOLED_CONFIG: file(), ...more })(args, { input });

  it('keep a key that was read from standard input, in a file that only its owner may read', async () => {
    const login = await withProfiles(['login', '--url', stack.baseUrl, '--profile', 'test'], `${stack.apiKey}\n`);
    expect(login).toMatchObject({ code: 0, stderr: '' });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'profiles')).mode & 0o777).toBe(0o700);
    const { code, stdout } = await withProfiles(['whoami', '--output', 'json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { profile: 'test', url: stack.baseUrl }]);
    const list = await withProfiles(['profiles', 'list']);
    expect([login, list].map((each) => each.stdout + each.stderr).join()).not.toContain(stack.apiKey);
  });

  it('send a key to the server of its profile only', async () => {
    const elsewhere = await withProfiles(['whoami', '--url', 'http://127.0.0.1:9']);
    expect(elsewhere).toMatchObject({ code: 2, stdout: '' });
    expect(elsewhere.stderr).toContain('is not sent to http://127.0.0.1:9');
  });

  it('are refused while others may read them', async () => {
    writeFileSync(join(folder, 'open.json'), readFileSync(file()), { mode: 0o644 });
    const refused = await withProfiles(['whoami'], '', { SPOOLED_CONFIG: join(folder, 'open.json') });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/others may read it \(mode 644\)/);
  });

  it('keep no key that the server refuses, and do not print it', async () => {
    const key = 'sk_test_0123456789abcdef0123456789abcdef';
    const before = readFileSync(file(), 'utf8');
    const refused = await withProfiles(['login', '--url', stack.baseUrl], key);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^spooled: [^\n]+\.\n$/);
    expect(refused.stderr).not.toContain(key);
    expect(readFileSync(file(), 'utf8')).toBe(before);
  });

  it('are not waited for when the command is stopped', async () => {
    const waiting = new CliProcess(['login', '--url', 'http://server.invalid'], { SPOOLED_CONFIG: file() });
    await eventually(() => expect(waiting.stderr).toContain('not encrypted'));
    waiting.child.kill('SIGTERM');
    expect(await waiting.result()).toMatchObject({ code: 143, signal: null, stdout: '' });
  });

  it('are removed with their key', async () => {
    expect(await withProfiles(['logout'])).toMatchObject({ code: 2 });
    expect(await withProfiles(['logout', '--yes'])).toMatchObject({ code: 0 });
    expect(readFileSync(file(), 'utf8')).not.toContain(stack.apiKey);
  });
});

describe('BX-17 the command line', () => {
  const env = () => ({ SPOOLED_URL: stack.baseUrl, SPOOLED_API_KEY: stack.apiKey });

  it('creates a job, finds it by a search line, shows and explains it', async () => {
    const queue = newQueue();
    const created = await run(
      ['jobs', 'enqueue', queue, '{"n":9007199254740993}', '--tag', 'customer=4711', '-o', 'json'],
      {},
    );
    expect(created).toMatchObject({ code: 0, stderr: '' });
    const { id } = JSON.parse(created.stdout) as { id: string };
    const found = await run(['jobs', 'list', '--search', `queue:${queue} tag:customer=4711`, '-o', 'jsonl']);
    expect(
      found.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toMatchObject([{ id, queue_name: queue, status: 'pending' }]);
    const shown = await run(['jobs', 'get', id, '-o', 'json']);
    expect(shown.stdout).toContain('9007199254740993');
    const explained = await run(['jobs', 'explain', id]);
    expect(explained.stdout).toContain('no_workers');
    const cancelled = await run(['jobs', 'cancel', id]);
    expect(cancelled).toMatchObject({ code: 0, stdout: `Cancelled ${id}\n` });
    expect((await client.jobs.get(id)).status).toBe('cancelled');
  });

  it('asks the worker of a running job to end it, or cancels it by force', async () => {
    const queueName = newQueue();
    const { id } = await client.jobs.create({ queueName, payload: {} });
    await client.jobs.claim({ queueName, workerId: 'w' });
    expect(await run(['jobs', 'cancel', id])).toMatchObject({ code: 1 });
    expect(await run(['jobs', 'cancel', id, '--force'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--running'),
    });
    const asked = await run(['jobs', 'cancel', id, '--running', '--grace', '1h', '--reason', 'wrong file']);
    expect(asked).toMatchObject({ code: 0, stdout: `Asked the worker to end ${id}\n` });
    const forced = await run(['jobs', 'cancel', id, '--running', '--force']);
    expect(forced).toMatchObject({ code: 0, stdout: `Cancelled ${id}\n` });
    expect(await client.jobs.get(id)).toMatchObject({ status: 'cancelled' });
  });

  it('shows what others wrote without their control characters, and without colours', async () => {
    const queueName = newQueue();
    await client.jobs.create({ queueName, payload: { job_type: '\u001b[2J\u202eevil' } });
    const { stdout } = await run(['jobs', 'list', '--queue', queueName]);
    expect(stdout).toContain('\\u001b[2J\\u202eevil');
    // oxlint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
  });

  it.each([
    [['jobs', 'list', '--limt', '3'], '--limt'],
    [['jobs', 'list', '--limit', '0'], '--limit'],
    [['jobs', 'lst'], 'lst'],
    [['jobs', 'list', '--output', 'xml'], '--output'],
    [['jobs', 'get', 'a', 'b'], 'too many arguments'],
    [['jobs', 'enqueue', 'q', '{"a":'], 'payload'],
    [['jobs', 'enqueue', 'q', '--at', 'tomorrow'], '--at'],
    [['jobs', 'enqueue', 'q', '--delay', '999999999d'], '--delay'],
    [['jobs', 'priority', 'id', '500'], 'priority'],
    [['jobs', 'list', '--all', '--limit', '3'], '--limit'],
    // Variables of a script that are not set.
    [['jobs', 'list', '--queue', ''], '--queue is empty'],
    [['queues', 'purge', 'q', '--type', '', '--yes'], '--type is empty'],
    [['dlq', 'purge', '--job', 'a', '', '--yes'], '--job is empty'],
    [['jobs', 'cancel', 'a', ' '], '<ids> is empty'],
    [['webhooks', 'listen', '--host', ''], '--host is empty'],
    // What is quoted is neither a key nor an escape sequence.
    [['login', 'sk_live_0123456789'], 'got 1: sk_….'],
    [['\u001b[31m'], '\\u001b[31m'],
    [['whoami', '--url', 'http://127.0.0.1:1/?x=1'], 'no query'],
    [['whoami', '--url', 'http://127.0.0.1:1/api/v1'], 'ends before /api'],
  ])('refuses %j with exit code 2 and a sentence that names it', async (args, name) => {
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^spooled: [^\n]+\n$/);
    expect(stderr).toContain(name);
  });

  // As users run it: the other commands run in the process of this spec.
  it('reports a refusal of the server with exit code 1 and the field', async () => {
    const { code, stdout, stderr } = await cliFor(env(), CliProcess)(['jobs', 'enqueue', 'no queue', '{}']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^spooled: [^\n]*queue_name[^\n]*\.\n$/);
  });

  it('names the first of several jobs that was not changed', async () => {
    const { id } = await client.jobs.create({ queueName: newQueue(), payload: {} });
    const unknown = randomUUID();
    const { code, stdout, stderr } = await run(['jobs', 'cancel', id, unknown]);
    expect([code, stdout]).toEqual([1, `Cancelled ${id}\n`]);
    expect(stderr).toMatch(new RegExp(`^spooled: Job ${unknown}: .+\\n$`));
  });

  it('says that its output cannot be written', async () => {
    const full = new CliProcess(['whoami'], env(), openSync('/dev/full', 'w'));
    expect(await full.result()).toMatchObject({ code: 1, stderr: expect.stringContaining('ENOSPC') });
  });

  // It prints the row of each job as soon as it has it.
  it('ends quietly when its reader has gone', async () => {
    const queueName = newQueue();
    const jobs = Array.from({ length: 100 }, () => ({ payload: { text: 'x'.repeat(100) } }));
    for (let i = 0; i < 4; i++) await client.jobs.createMany({ queueName, jobs });
    const piped = new CliProcess(['jobs', 'list', '--queue', queueName, '--all'], env());
    piped.child.stdout.destroy();
    expect(await piped.result()).toMatchObject({ code: 141, stderr: '' });
  });
});
