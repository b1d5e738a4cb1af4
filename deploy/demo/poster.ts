import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Spooled } from '@spooled/sdk';
import type { Entry, Ledger } from './ledger.js';
import type { WebhookTarget } from './retrying-client.js';

const concurrency = 16;
/** One webhook in this many always fails. */
const poisonEvery = 97;

interface GithubPayload {
  event: string;
  body: string;
}

/** Every payload of GitHub's example collection, as the text that GitHub would post. */
function githubPayloads(): GithubPayload[] {
  const require = createRequire(import.meta.url);
  const events = require('@octokit/webhooks-examples') as { name: string; examples: unknown[] }[];
  return events.flatMap(({ name, examples }) =>
    examples.map((example) => ({ event: name, body: JSON.stringify(example) })),
  );
}

/**
 * Signs webhooks as GitHub does and posts each to the organization's endpoint. Resolves when all are accepted.
 * @throws Error when one is refused permanently
 */
export async function postWebhooks(client: Spooled, ledger: Ledger, target: WebhookTarget): Promise<void> {
  const payloads = githubPayloads();
  let next = 0;
  const postOne = async (number: number) => {
    const { event, body } = payloads[number % payloads.length]!;
    const entry: Entry = {
      deliveryId: randomUUID(),
      queue: `github-${event.replace(/[^A-Za-z0-9_-]/g, '-')}`,
      poison: number % poisonEvery === poisonEvery - 1,
      completions: 0,
      dead: false,
    };
    ledger.expect(entry);
    await client.ingestion.github({ ...target, event, body, deliveryId: entry.deliveryId });
    ledger.accept(entry);
  };
  const postNext = async () => {
    while (next < ledger.total && !ledger.finished) await postOne(next++);
  };
  await Promise.all(Array.from({ length: concurrency }, postNext));
}
