import { createHmac } from 'node:crypto';
import type { Database } from '@spooled/data-access';
import { createTestDatabase, openConnections, startRedis, type TestDatabase, type TestRedis } from '@spooled/testing';
import { startService, type RunningService } from '../service.fixture.js';

export const githubSecret = 'the secret of all';
export const sign = (body: string | Buffer, secret = githubSecret) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

interface Call {
  body: string | Buffer | object;
  headers?: Record<string, string>;
  to?: RunningService;
}

/** A webhooks service that receives, with its stores. */
export class IngestionFixture {
  private constructor(
    private readonly store: TestDatabase,
    readonly redis: TestRedis,
    readonly db: Database,
    readonly service: RunningService,
  ) {}

  static async open(): Promise<IngestionFixture> {
    const [store, redis] = await Promise.all([createTestDatabase(), startRedis()]);
    const db = openConnections(store);
    return new IngestionFixture(store, redis, db, await startService(environmentOf(store, redis)));
  }

  async close(): Promise<void> {
    await this.service.stop();
    await this.db.close();
    await Promise.all([this.redis.close(), this.store.drop()]);
  }

  /** The settings of its service, for another one. */
  readonly environment = () => environmentOf(this.store, this.redis);

  readonly post = async (organizationId: string, source: string, { body, headers = {}, to = this.service }: Call) => {
    const raw = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const response = await fetch(`${to.url}/api/v1/webhooks/${organizationId}/${source}`, {
      method: 'POST',
      body: raw as string,
      headers: { 'content-type': 'application/json', ...headers },
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: text ? (JSON.parse(text) as Record<string, unknown>) : null,
    };
  };

  readonly github = (organizationId: string, body: string, more: Record<string, string> = {}) =>
    this.post(organizationId, 'github', {
      body,
      headers: { 'x-github-event': 'push', 'x-hub-signature-256': sign(body), ...more },
    });
}

const environmentOf = (store: TestDatabase, redis: TestRedis) => ({
  DATABASE_URL: store.appUrl,
  DATABASE_SYSTEM_URL: store.systemUrl,
  REDIS_URL: redis.url,
  GITHUB_WEBHOOK_SECRET: githubSecret,
  STRIPE_WEBHOOK_SECRET: 'whsec',
});
