import type { Throttle } from '@spooled/sdk';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { UsageError } from '../errors.js';
import { confirm } from '../io/prompt.js';
import type { Add, Cli } from '../session/cli.js';
import { duration, pairs, yesOption } from './options.js';

/** `spooled throttles`. */
export function addThrottles(program: Command, add: Add): void {
  const throttles = program.command('throttles').description('limits of new jobs that end by themselves');
  add(throttles, 'list', 'list the throttles that hold', list);
  add(throttles, 'set', 'admit no more new jobs than this, of a queue, a tag or a key', set)
    .requiredOption('--per-second <jobs>', 'jobs a second', rate)
    .requiredOption('--for <duration>', 'how long it holds, such as 30m', duration)
    .option('--queue <name>', 'jobs of this queue')
    .option('--tag <name=value>', 'jobs with this tag', pairs)
    .option('--key <id>', 'jobs that this API key creates')
    .option('--dry-run', 'only show what it would have admitted in the last ten minutes')
    .addOption(yesOption());
  add(throttles, 'release <id>', 'end a throttle before its time', release);
}

function rate(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

async function list({ client, out, call }: Cli): Promise<void> {
  await out.rows(await client.throttles.list(call), {
    id: 'id',
    of: inWords,
    'jobs a second': 'perSecond',
    until: 'expiresAt',
  });
}

const inWords = ({ queueName, tag, apiKeyName, apiKeyId }: Throttle): string =>
  [
    queueName !== null && `queue ${queueName}`,
    tag && `tag ${tag.name}${tag.value === null ? '' : `=${tag.value}`}`,
    apiKeyId !== null && `key ${apiKeyName ?? apiKeyId}`,
  ]
    .filter((part) => part !== false && part !== null)
    .join(', ');

interface SetOptions {
  perSecond: number;
  for: number;
  queue?: string;
  tag?: Record<string, string>;
  key?: string;
  dryRun?: boolean;
  yes?: boolean;
}

async function set({ client, io, out, call }: Cli, { dryRun, yes, ...options }: SetOptions): Promise<void> {
  const tags = Object.entries(options.tag ?? {});
  if (tags.length > 1) throw new UsageError('--tag: a throttle has one tag');
  const [[name, value] = []] = tags;
  const body = {
    queueName: options.queue,
    tag: name === undefined ? undefined : { name, value },
    apiKeyId: options.key,
    perSecond: options.perSecond,
    expiresInSeconds: options.for,
  };
  const preview = await client.throttles.preview(body, call);
  const { created, admitted, refused, from, to } = preview;
  if (dryRun) {
    out.note('Dry run: nothing was changed.');
    return out.item(preview, { From: from, To: to, Created: created, Admitted: admitted, Refused: refused });
  }
  await confirm(io, `Of the last ${created} jobs it would have refused ${refused}. Set it?`, yes);
  const throttle = await client.throttles.create(body, call);
  await out.item(throttle, { Id: throttle.id, Of: inWords(throttle), Until: throttle.expiresAt });
}

async function release({ client, out, call }: Cli, id: string): Promise<void> {
  await client.throttles.release(id, call);
  out.note(`Released throttle ${id}.`);
}
