import type { CauseMute, FailureCause } from '@spooled/sdk';
import type { Command } from 'commander';
import type { Act, Cli } from '../session/cli.js';
import { duration } from './options.js';

/** `spooled dlq causes`, `mute`, `unmute`, `mutes`: what dead letters of all queues die of. */
export function addCauses(dlq: Command, act: Act): void {
  dlq
    .command('causes')
    .description('list dead letters by error, over queues and types, and which errors are muted')
    .option('--queue <name>', 'of this queue')
    .option('--cause <text>', 'with this error, as groups show it')
    .action(act(causes));
  dlq
    .command('mute <cause>')
    .description('make a cause no problem for a time; it stays listed and counted')
    .requiredOption('--for <duration>', 'how long, such as 2h; at most 30 days', duration)
    .requiredOption('--reason <text>', 'why nobody has to look at it until then')
    .action(act(mute));
  dlq.command('unmute <cause>').description('end a mute before its time').action(act(unmute));
  dlq.command('mutes').description('list the mutes that hold').action(act(mutes));
}

async function causes({ client, out, call }: Cli, { queue, cause }: { queue?: string; cause?: string }): Promise<void> {
  const found = await client.deadLetters.causes({ queueName: queue, cause }, call);
  await out.rows<FailureCause>(
    [
      ['cause', ({ id }) => id],
      ['count', ({ count }) => count],
      ['last hour', ({ lastHour }) => lastHour],
      ['new since', ({ firstSeen }) => firstSeen],
      ['muted until', ({ muted }) => muted?.expiresAt ?? ''],
      ['error', ({ error }) => error],
    ],
    found.causes,
  );
  if (found.more > 0) out.note(`${found.more} more causes are not listed.`);
}

async function mute(
  { client, out, call }: Cli,
  id: string,
  { for: expiresInSeconds, reason }: { for: number; reason: string },
): Promise<void> {
  const muted = await client.deadLetters.mute(id, { reason, expiresInSeconds }, call);
  await out.item(muted, [
    ['Cause', muted.causeId],
    ['Error', muted.error],
    ['Until', muted.expiresAt],
  ]);
}

async function unmute({ client, out, call }: Cli, id: string): Promise<void> {
  await client.deadLetters.unmute(id, call);
  out.note(`Unmuted cause ${id}.`);
}

async function mutes({ client, out, call }: Cli): Promise<void> {
  await out.rows<CauseMute>(
    [
      ['cause', ({ causeId }) => causeId],
      ['until', ({ expiresAt }) => expiresAt],
      ['reason', ({ reason }) => reason],
      ['error', ({ error }) => error],
    ],
    await client.deadLetters.mutes(call),
  );
}
