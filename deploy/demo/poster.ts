import { randomUUID } from 'node:crypto';
import type { Spooled } from '@spooled/sdk';
import type { Entry, Ledger } from './ledger.js';
import type { WebhookTarget } from './retrying-client.js';
import type { GithubPayload } from './payloads.js';

const concurrency = 16;
/** One webhook in this many always fails. */
const poisonEvery = 97;

/** Signs webhooks as GitHub does and posts each to the organization's endpoint until it is accepted. */
export class Poster {
  constructor(
    private readonly client: Spooled,
    private readonly ledger: Ledger,
    private readonly payloads: GithubPayload[],
    private readonly target: WebhookTarget,
  ) {}

  /** Resolves when all are accepted. @throws Error when one is refused permanently */
  async post(count: number): Promise<void> {
    let next = 0;
    const postNext = async () => {
      while (next < count && !this.ledger.finished) await this.postOne(next++);
    };
    await Promise.all(Array.from({ length: concurrency }, postNext));
  }

  private async postOne(number: number): Promise<void> {
    const { event, body } = this.payloads[number % this.payloads.length]!;
    const entry: Entry = {
      deliveryId: randomUUID(),
      queue: `github-${event.replace(/[^A-Za-z0-9_-]/g, '-')}`,
      poison: number % poisonEvery === poisonEvery - 1,
      completions: 0,
      dead: false,
    };
    this.ledger.expect(entry);
    await this.client.ingestion.github({ ...this.target, event, body, deliveryId: entry.deliveryId });
    this.ledger.accept(entry);
  }
}
