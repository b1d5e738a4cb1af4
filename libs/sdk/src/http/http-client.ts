import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyRoute, Answer, Body, Query } from '../routes.js';
import { fromWire, toWire } from './case.js';
import type { Credentials } from './credentials.js';
import { AuthenticationError, errorOf, NetworkError } from './errors.js';
import { nextDelay, type RetryPolicy } from './retry-policy.js';

export interface CallOptions {
  /** Ends the call, also between its retries. */
  signal?: AbortSignal;
  /** Ms for one try; the client's own where absent. */
  timeoutMs?: number;
  /**
   * Carrying the request out twice is as good as once, so it is repeated when no answer comes. So are GET, PUT and
   * DELETE by themselves, and what has an idempotency key.
   */
  repeatable?: boolean;
}

export interface Call<R extends AnyRoute> extends CallOptions {
  /** Values for the braces of the path. */
  params?: Record<string, string>;
  query?: Query<R>;
  body?: Body<R>;
  headers?: Record<string, string>;
}

/** A request as it goes out. `path` starts at the host. */
export interface RawRequest extends CallOptions {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface HttpSettings {
  /** Without a slash at its end. */
  baseUrl: string;
  credentials: Credentials;
  timeoutMs: number;
  retry: RetryPolicy;
  fetch: typeof globalThis.fetch;
  userAgent: string;
}

/** Sends requests, repeats those that may be repeated, and turns answers into values and errors. */
export class HttpClient {
  constructor(readonly settings: HttpSettings) {}

  /** @throws SpooledError (one of its kinds); the reason of `signal` when that ended the call */
  async call<R extends AnyRoute>(route: R, call: Call<R> = {}): Promise<Answer<R>> {
    const [method, template] = route.split(' ') as [string, string];
    const path = fill(template, call.params ?? {}) + queryText(call.query);
    const body = call.body === undefined ? undefined : JSON.stringify(toWire(call.body));
    const repeatable = call.repeatable ?? (method !== 'POST' || hasIdempotencyKey(call.body));
    const { signal, timeoutMs, headers } = call;
    return fromWire(await this.send({ method, path, body, headers, repeatable, signal, timeoutMs })) as Answer<R>;
  }

  /** The answer's JSON as it is on the wire; undefined without a body. @throws as {@link call} */
  async send(request: RawRequest): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.sendRenewing(request);
      } catch (error) {
        request.signal?.throwIfAborted();
        const wait = nextDelay(this.settings.retry, error, attempt, request.repeatable ?? false);
        if (wait === null) throw error;
        await sleep(wait, undefined, { signal: request.signal }).catch(() => request.signal?.throwIfAborted());
      }
    }
  }

  /** The open answer of a stream; not repeated. @throws as {@link call} */
  async open(path: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
    const response = await this.fetch({ method: 'GET', path, headers }, signal);
    if (!response.ok) throw errorOf(response.status, response.headers, parse(await response.text()));
    return response;
  }

  /** Takes a new access token. @returns false where there is no refresh token */
  async renew(): Promise<boolean> {
    const { credentials } = this.settings;
    if (!credentials.refreshToken) return false;
    const body = JSON.stringify({ refresh_token: credentials.refreshToken });
    const answer = await this.sendOnce({ method: 'POST', path: refreshPath, body });
    credentials.renew((answer as { access_token: string }).access_token);
    return true;
  }

  /** An access token that ran out is renewed once. */
  private async sendRenewing(request: RawRequest): Promise<unknown> {
    try {
      return await this.sendOnce(request);
    } catch (error) {
      if (!(error instanceof AuthenticationError) || request.path === refreshPath || !(await this.renew())) throw error;
      return this.sendOnce(request);
    }
  }

  private async sendOnce(request: RawRequest): Promise<unknown> {
    const timeout = AbortSignal.timeout(request.timeoutMs ?? this.settings.timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    const response = await this.fetch(request, signal);
    const text = await response.text().catch((error: unknown) => {
      throw new NetworkError(`The answer of ${request.method} ${request.path} broke off`, error);
    });
    if (!response.ok) throw errorOf(response.status, response.headers, parse(text));
    return text === '' ? undefined : parse(text);
  }

  private async fetch({ method, path, body, headers }: RawRequest, signal: AbortSignal): Promise<Response> {
    const { baseUrl, credentials, userAgent } = this.settings;
    // The access token that is being renewed is of no use any more.
    const bearer = path === refreshPath ? undefined : credentials.bearer;
    const authorization = bearer && { authorization: `Bearer ${bearer}` };
    try {
      return await this.settings.fetch(baseUrl + path, {
        method,
        body,
        headers: { 'content-type': 'application/json', 'user-agent': userAgent, ...authorization, ...headers },
        signal,
      });
    } catch (error) {
      throw new NetworkError(`${method} ${path} was not answered: ${(error as Error).message}`, error);
    }
  }
}

const refreshPath = '/api/v1/auth/refresh';

const fill = (template: string, params: Record<string, string>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

function queryText(query: unknown): string {
  const pairs = Object.entries((toWire(query) ?? {}) as Record<string, unknown>)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]): [string, string] => [name, String(value)]);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

const hasIdempotencyKey = (body: unknown): boolean =>
  typeof (body as { idempotencyKey?: unknown } | undefined)?.idempotencyKey === 'string';

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy's page, or nothing: the status says enough.
    return undefined;
  }
}
