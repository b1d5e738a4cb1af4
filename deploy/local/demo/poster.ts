import { createHmac, randomUUID } from 'node:crypto';
import type { DemoApi } from './api.js';
import type { Entry, Ledger } from './ledger.js';
import type { GithubPayload } from './payloads.js';

const concurrency = 16;
/** One webhook of so many fails whatever a worker does. */
const poisonEvery = 97;

/** Signs webhooks as GitHub does and posts them to the organization's door, each until it is accepted. */
export class Poster {
  constructor(
    private readonly api: DemoApi,
    private readonly ledger: Ledger,
    private readonly payloads: GithubPayload[],
    private readonly target: { organizationId: string; secret: string; token: string },
  ) {}

  /** Resolves when all are accepted. @throws Error when one is refused for good */
  async post(count: number): Promise<void> {
    let next = 0;
    const lane = async () => {
      while (next < count && !this.ledger.finished) await this.postOne(next++);
    };
    await Promise.all(Array.from({ length: concurrency }, lane));
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
    const { status, body: answer } = await this.api.send(
      'POST',
      `/webhooks/${this.target.organizationId}/github`,
      body,
      {
        'content-type': 'application/json',
        'x-github-event': event,
        'x-github-delivery': entry.deliveryId,
        'x-hub-signature-256': `sha256=${createHmac('sha256', this.target.secret).update(body).digest('hex')}`,
        'x-webhook-token': this.target.token,
      },
    );
    if (status !== 200) throw new Error(`Webhook ${event} was refused with ${status}: ${JSON.stringify(answer)}`);
    this.ledger.accept(entry);
  }
}
