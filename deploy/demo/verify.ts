import type { Spooled } from '@spooled/sdk';
import type { Entry, Ledger } from './ledger.js';

/** Compares the demo's records with the system's; returns one line per kind of difference. */
export async function verifyOutcomes(client: Spooled, ledger: Ledger): Promise<string[]> {
  const entries = [...ledger.entries.values()];
  const accepted = entries.filter((entry) => entry.acceptedAt !== undefined);
  const lost = accepted.filter((entry) => entry.endedAt === undefined);
  const twice = entries.filter((entry) => entry.completions > 1 || (entry.completions > 0 && entry.dead));
  const problems: string[] = [];
  if (accepted.length < ledger.total) problems.push(`${ledger.total - accepted.length} webhooks were never accepted`);
  if (lost.length > 0) problems.push(`${lost.length} accepted jobs were lost: ${sample(lost)}`);
  if (twice.length > 0) problems.push(`${twice.length} jobs ended twice: ${sample(twice)}`);
  problems.push(...(await compareStatuses(client, accepted)));
  return problems;
}

async function compareStatuses(client: Spooled, accepted: Entry[]): Promise<string[]> {
  const ended = accepted.filter((entry) => entry.endedAt !== undefined && entry.jobId !== undefined);
  const wrong: Entry[] = [];
  for (let from = 0; from < ended.length; from += 100) {
    const some = ended.slice(from, from + 100);
    const statuses = await client.jobs.statuses(some.map(({ jobId }) => jobId!));
    const found = new Map(statuses.map(({ id, status }) => [id, status]));
    wrong.push(...some.filter((entry) => found.get(entry.jobId!) !== (entry.dead ? 'deadletter' : 'completed')));
  }
  return wrong.length > 0
    ? [`${wrong.length} jobs have a different status from the one in the response: ${sample(wrong)}`]
    : [];
}

const sample = (entries: Entry[]): string =>
  entries
    .slice(0, 5)
    .map(({ deliveryId, queue, jobId }) => `${jobId ?? deliveryId} (${queue})`)
    .join(', ');
