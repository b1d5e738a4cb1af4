import { createTestDatabase, startRedis, type TestDatabase, type TestRedis } from '@spooled/testing';
import { parseSetCookie } from 'cookie';
import { randomInt } from 'node:crypto';
import { startGateway, type TestGateway, type TestResponse } from '../gateway.fixture.js';

export const adminKey = 'the administrator of these specs';

type Headers = Record<string, string>;

/** A browser with a page of the console: keeps the cookie, and sends the page's headers and origin. */
export class Browser {
  cookie: string | undefined;
  cookieName = 'spooled_console';
  /** Shows that this browser has shown a login link. */
  loginCookie: string | undefined;
  /** Shows that this browser has begun a sign-in at the provider. */
  signInCookie: string | undefined;
  /** Of its own, because failures are limited by address. The gateway needs TRUSTED_PROXY_HOPS=1. */
  readonly address = [10, randomInt(256), randomInt(256), randomInt(1, 256)].join('.');

  constructor(
    private readonly gateway: TestGateway,
    private readonly page: Headers = { 'x-spooled-console': '1', origin: 'http://console.test' },
  ) {}

  /** @param headers added to those of the page */
  async request(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, headers: Headers = {}) {
    const {
      statusCode,
      headers: answered,
      body: text,
    } = await this.gateway.app.inject({
      method,
      url: `/api/v1${path}`,
      headers: {
        host: 'console.test',
        'x-forwarded-for': this.address,
        ...this.page,
        ...this.cookies(),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      payload: body === undefined ? undefined : JSON.stringify(body),
    });
    for (const header of [answered['set-cookie'] ?? []].flat()) this.keepCookie(header);
    return { status: statusCode, headers: answered, body: text === '' ? null : JSON.parse(text) } as TestResponse;
  }

  signIn(credential: object, headers?: Headers): Promise<TestResponse> {
    return this.request('POST', '/console/session', credential, headers);
  }

  /** As the page of a login link does when its reader agrees. */
  async useLink(code: string): Promise<TestResponse> {
    await this.previewLink(code);
    return this.signIn({ code });
  }

  previewLink(code: string, headers?: Headers): Promise<TestResponse> {
    return this.request('POST', '/console/login-links/preview', { code }, headers);
  }

  async status(path = '/queues', headers?: Headers): Promise<number> {
    return (await this.request('GET', path, undefined, headers)).status;
  }

  private cookies(): Headers {
    const all = [
      'other=1',
      this.cookie && `${this.cookieName}=${this.cookie}`,
      this.loginCookie && `spooled_login=${this.loginCookie}`,
      this.signInCookie && `spooled_sign_in=${this.signInCookie}`,
    ];
    return { cookie: all.filter((one) => one !== undefined && one !== '').join('; ') };
  }

  private keepCookie(header: string): void {
    const { name, value, maxAge } = parseSetCookie(header);
    if (name === 'spooled_sign_in') this.signInCookie = maxAge === 0 ? undefined : value;
    if (name === 'spooled_login') this.loginCookie = maxAge === 0 ? undefined : value;
    if (!name.endsWith('spooled_console')) return;
    this.cookieName = name;
    this.cookie = maxAge === 0 ? undefined : value;
  }
}

/** Gateways with a console, a database and a Redis. */
export class TestConsole {
  private readonly gateways: TestGateway[] = [];

  private constructor(
    readonly database: TestDatabase,
    private readonly redis: TestRedis,
  ) {}

  static async open(): Promise<TestConsole> {
    const [database, redis] = await Promise.all([createTestDatabase(), startRedis()]);
    return new TestConsole(database, redis);
  }

  async start(env: Record<string, string> = {}): Promise<TestGateway> {
    const gateway = await startGateway(this.database, {
      redisUrl: this.redis.url,
      env: { ADMIN_API_KEY: adminKey, RATE_LIMIT_FAILED_LOGINS_PER_MINUTE: '0', TRUSTED_PROXY_HOPS: '1', ...env },
    });
    this.gateways.push(gateway);
    return gateway;
  }

  async close(): Promise<void> {
    for (const gateway of this.gateways) await gateway.stop();
    await this.redis.close();
    await this.database.drop();
  }
}

export async function signedIn(gateway: TestGateway, credential: object): Promise<Browser> {
  const browser = new Browser(gateway);
  expect((await browser.signIn(credential)).status).toBe(200);
  return browser;
}
