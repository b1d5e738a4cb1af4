import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from '../run.js';

/** Runs a command against a server that does not exist. @returns its exit code and what it says */
async function ran(args: string[]): Promise<[code: number, stderr: string]> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const env = { SPOOLED_URL: 'http://127.0.0.1:1', SPOOLED_API_KEY: 'sk_test_x' };
  const { code } = await run(args, { stdin, stdout, stderr, env, signal: new AbortController().signal });
  stderr.end();
  return [code, await text(stderr)];
}

describe('BX-17 an option that is given twice', () => {
  it.each([
    [['queues', 'purge', 'q', '--type', 'a', '--type', 'b', '--yes'], '--type'],
    [['dlq', 'replay', '--queue', 'a', '--yes', '--queue=b'], '--queue'],
    [['jobs', 'list', '-q', 'queue:a', '--search', 'queue:b'], '--search'],
    [['operations', 'list', '--state', 'held', '--state', 'running'], '--state'],
  ])('is refused, because only the last value would count: %j', async (args, option) => {
    expect(await ran(args)).toEqual([2, `spooled: ${option} is given twice, and takes one value.\n`]);
  });

  it.each([
    ['when it takes several', ['jobs', 'enqueue', 'q', '{', '--tag', 'a=1', '--tag', 'b=2']],
    ['of the program, as an alias has it', ['-o', 'json', 'jobs', 'enqueue', 'q', '{', '-o', 'table']],
  ])('is taken %s', async (_, args) => {
    expect(await ran(args)).toEqual([2, expect.stringMatching(/^spooled: The payload is no valid JSON/)]);
  });
});

it('BX-17 all and a number of jobs of a batch contradict each other', async () => {
  expect(await ran(['batches', 'results', 'id', '--all', '--limit', '5'])).toEqual([
    2,
    expect.stringContaining("option '--all' cannot be used with option '--limit <n>'"),
  ]);
});

it('BX-17 no key is shown that stands where none is taken', async () => {
  expect(await ran(['login', 'sp_live_0123456789'])).toEqual([2, expect.stringContaining('got 1: sp_….')]);
});
