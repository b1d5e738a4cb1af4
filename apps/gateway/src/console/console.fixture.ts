import { parseSetCookie } from 'cookie';
import { randomInt } from 'node:crypto';
import type { TestGateway, TestResponse } from '../gateway.fixture.js';

type Headers = Record<string, string>;

/** A browser with a page of the console: keeps the cookie, and sends the page's headers and origin. */
export class Browser {
  cookie: string | undefined;
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
        ...(this.cookie && { cookie: `other=1; spooled_console=${this.cookie}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      payload: body === undefined ? undefined : JSON.stringify(body),
    });
    this.keepCookie(answered['set-cookie']);
    return { status: statusCode, headers: answered, body: text === '' ? null : JSON.parse(text) } as TestResponse;
  }

  signIn(credential: object, headers?: Headers): Promise<TestResponse> {
    return this.request('POST', '/console/session', credential, headers);
  }

  private keepCookie(header: string | string[] | undefined): void {
    if (typeof header !== 'string') return;
    const { name, value, maxAge } = parseSetCookie(header);
    if (name === 'spooled_console') this.cookie = maxAge === 0 ? undefined : value;
  }
}
