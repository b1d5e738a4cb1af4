import type { ResponseBody } from '@spooled/sdk';
import type { Command } from 'commander';
import { pagesByCursor } from '../io/pages.js';
import { printable } from '../io/printable.js';
import type { Add, Cli } from '../session/cli.js';
import { limitOption, time } from './options.js';

type Problem = ResponseBody<'GET /api/v1/problems'>['problems'][number];

/** What is wrong now, and who changed what. */
export function addOverview(program: Command, add: Add): void {
  add(program, 'problems', 'list what is stalled, fails or gets worse, by cause', problems);
  add(program, 'audit', 'list who changed settings, and who deleted or moved many jobs', audit)
    .option('--since <time>', 'at this time or later; also an age such as 2h', time)
    .addOption(limitOption(50));
}

async function problems({ client, out, call }: Cli): Promise<void> {
  const found = await client.monitoring.problems(call);
  await out.drawing(found, problemLines(out, found));
}

type Problems = ResponseBody<'GET /api/v1/problems'>;

/** The problems, and what may have others: it must not look as if there were none. */
export function problemLines(out: Pick<Cli['out'], 'tone'>, found: Problems): string[] {
  const { problems: listed, total, unexamined, notChecked } = found;
  const rest = [
    ...(total > listed.length ? [`${total - listed.length} more problems with less harm are not listed.`] : []),
    ...Object.entries(unexamined).flatMap(([kind, count]) =>
      count > 0 ? `${count} more ${kind} may have one: they were not examined.` : [],
    ),
    ...notChecked.map((what) => `${printable(what)}.`),
  ];
  if (listed.length > 0) return [...listed.flatMap((problem) => textOf(out, problem)), ...rest];
  return [rest.length === 0 ? 'There are no problems.' : 'No problem was found in what was examined.', ...rest];
}

const tones = { critical: 'red', warning: 'yellow', info: 'dim' } as const;

/** A problem at its first place, which is the worst one, and how many more there are. */
function textOf(out: Pick<Cli['out'], 'tone'>, { severity, code, places, total, action }: Problem): string[] {
  const [first] = places;
  if (!first) return [];
  const place = first.queue ?? first.schedule ?? first.webhook;
  const more = total > 1 ? ` And ${total - 1} more.` : '';
  return [
    `${out.tone(tones[severity], severity)}  ${place === null ? '' : `${printable(place)}: `}${printable(first.condition.message)} (${code})${more}`,
    `  ${printable(action)}`,
  ];
}

async function audit({ client, out, call }: Cli, options: { since?: string; limit: number }): Promise<void> {
  const pages = pagesByCursor((page) => client.audit.list({ since: options.since, ...page }, call), options);
  await out.list(pages, {
    at: 'at',
    action: 'action',
    by: (entry) => entry.actor?.name ?? entry.actor?.kind,
    target: (entry) => [entry.targetKind, entry.targetId].filter(Boolean).join(' '),
    after: 'after',
  });
}
