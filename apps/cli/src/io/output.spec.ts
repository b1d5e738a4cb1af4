import { PassThrough } from 'node:stream';
import { text as streamText } from 'node:stream/consumers';
import type { Io } from './io.js';
import { formats, Output } from './output.js';
import { confirm } from './prompt.js';

/** CSI as one character, ESC, DEL, a line separator, what changes the direction of text, and what nobody sees. */
const hostile = 'a\u009b2J\u001b[31m\u007f\u2028\u202e\u2066\u200f\u061c\u200b\ufeff\u{e0041}z';
const unsafe =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\u{e0041}]/u;

/** What a command prints. */
async function printed(write: (out: Output) => Promise<void>, format: (typeof formats)[number]): Promise<string> {
  const stdout = new PassThrough();
  const io: Io = { stdin: stdout, stdout, stderr: stdout, env: {}, signal: new AbortController().signal };
  await write(new Output(io, format));
  stdout.end();
  return streamText(stdout);
}

describe('BX-17 what others wrote', () => {
  const job = { id: 1n, type: hostile, payload: { [hostile]: hostile } };

  it.each(formats)('reaches a terminal without control characters as %s', async (format) => {
    const lists = (out: Output) => out.rows([job], { type: 'type', payload: (row) => row.payload });
    const items = (out: Output) => out.item(job, { Type: job.type });
    for (const write of [lists, items]) {
      const text = await printed(write, format);
      expect(text).not.toMatch(unsafe);
      expect(text).toContain(
        '\\u009b2J\\u001b[31m\\u007f\\u2028\\u202e\\u2066\\u200f\\u061c\\u200b\\ufeff\\udb40\\udc41z',
      );
    }
  });

  it('reaches a terminal without them in notes and questions as well', async () => {
    const stderr = new PassThrough();
    const io: Io = { stdin: new PassThrough(), stdout: stderr, stderr, env: {}, signal: new AbortController().signal };
    new Output(io, 'json').note(`Deleted ${hostile}`);
    stderr.end();
    expect(await streamText(stderr)).not.toMatch(unsafe);
    const asked = await confirm(io, `Delete ${hostile}?`, false).catch((error: Error) => error.message);
    expect(asked).toMatch(/^Delete a\\u009b/);
    expect(asked).not.toMatch(unsafe);
  });

  it.each(['json', 'jsonl'] as const)('is the same for programs that read it as %s', async (format) => {
    const text = await printed((out) => out.value(job), format);
    expect(JSON.parse(text)).toEqual({ ...job, id: 1 });
    expect(JSON.parse(await printed((out) => out.event(job, ''), 'jsonl'))).toEqual({ ...job, id: 1 });
  });
});
