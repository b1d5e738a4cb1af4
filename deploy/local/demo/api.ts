import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Answer<T> {
  status: number;
  body: T;
}

export interface Claimed {
  id: string;
  lease_id: string;
  queue_name: string;
  retry_count: number;
  max_retries: number;
}

/** How long a request is tried again while services restart or limit the rate. */
const patienceMs = 60_000;

/** REST calls as any client makes them. Refused connections, 429 and 5xx are tried again: services may be killed meanwhile. */
export class DemoApi {
  constructor(
    readonly url: string,
    private readonly key: string,
  ) {}

  /** Learns who we are, and gives the organization a secret for GitHub's signatures where it has none. */
  async prepare(): Promise<{ organizationId: string; secret: string; token: string }> {
    const [own] = (await this.ok<{ id: string }[]>('GET', '/organizations'))!;
    const { settings } = await this.ok<{ settings: Record<string, unknown> }>('GET', `/organizations/${own!.id}`);
    let secret = settings.github_webhook_secret;
    if (typeof secret !== 'string') {
      secret = randomBytes(24).toString('hex');
      await this.ok('PUT', `/organizations/${own!.id}`, { settings: { ...settings, github_webhook_secret: secret } });
    }
    const { webhook_token: token } = await this.ok<{ webhook_token: string }>('GET', '/organizations/webhook-token');
    return { organizationId: own!.id, secret: secret as string, token };
  }

  async claim(queue: string, worker: string, limit: number): Promise<Claimed[]> {
    const body = { queue_name: queue, worker_id: worker, limit, lease_duration_secs: 10 };
    return (await this.ok<{ jobs: Claimed[] }>('POST', '/jobs/claim', body)).jobs;
  }

  /** A 2xx body. @throws Error with the answer otherwise */
  async ok<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.call<T>(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  call<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const headers = { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' };
    return this.send(method, path, body === undefined ? undefined : JSON.stringify(body), headers);
  }

  /** Sends raw bytes; the last answer when patience ends. */
  async send<T>(
    method: string,
    path: string,
    body: string | undefined,
    headers: Record<string, string>,
  ): Promise<Answer<T>> {
    const giveUp = Date.now() + patienceMs;
    for (let attempt = 0; ; attempt++) {
      try {
        const response = await fetch(`${this.url}/api/v1${path}`, { method, body, headers });
        const text = await response.text();
        const waits = response.status === 429 || response.status >= 500;
        if (!waits || Date.now() > giveUp) {
          return { status: response.status, body: (text ? JSON.parse(text) : undefined) as T };
        }
        await sleep(1000 * Number(response.headers.get('retry-after') ?? 0) || backoff(attempt));
      } catch (error) {
        if (Date.now() > giveUp) throw error;
        await sleep(backoff(attempt));
      }
    }
  }
}

const backoff = (attempt: number): number => Math.min(50 * 2 ** attempt, 1000);
