import type { AnyRoute, ResponseBody, Body, List, ListQuery, Query, Row } from '../routes.js';
import { fromWire, toWire } from './case.js';
import type { Credentials } from './credentials.js';
import {
  AuthenticationError,
  errorOf,
  foreignResponse,
  isForeign,
  NetworkError,
  NotFoundError,
  redirected,
} from './errors.js';
import { type LargeIntegers, parseJson, writeJson } from './json.js';
import { listOf } from './list.js';
import { pathOf } from './path.js';
import { mayHaveRun, nextDelay, type RetryPolicy } from './retry-policy.js';
import { sleep } from './sleep.js';

export interface CallOptions {
  /** Aborts the call, also between its retries. */
  signal?: AbortSignal;
  /** Timeout of one attempt in milliseconds. @default the client's */
  timeoutMs?: number;
  /**
   * The request may be retried without a response, because executing it twice has the effect of once. GET, PUT and DELETE and
   * requests with an idempotency key are always idempotent.
   */
  idempotent?: boolean;
}

interface Call<R extends AnyRoute> extends CallOptions {
  /** Path parameters. */
  params?: Record<string, string>;
  query?: Query<R>;
  body?: Body<R>;
  headers?: Record<string, string>;
  /** @see RawRequest.isDone */
  isDone?: RawRequest['isDone'];
}

/** As `Call`, without a cursor, which would change the response to a page envelope. */
export interface ListCall<R extends AnyRoute> extends Omit<Call<R>, 'query' | 'body'> {
  query?: ListQuery<R>;
}

/** A request as it is sent; `path` includes the query. */
export interface RawRequest extends CallOptions {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  /**
   * Whether the error of a retry shows that an earlier attempt has succeeded, whose response was lost: then the call succeeds without a
   * value. Of a DELETE: there is nothing to delete any more.
   */
  isDone?: (error: unknown) => boolean | Promise<boolean>;
  /** Called with the headers of a successful response. */
  onHeaders?: (headers: Headers) => void;
}

export interface HttpSettings {
  /** Without a trailing slash; empty for the origin of the page, in a browser. */
  baseUrl: string;
  credentials: Credentials;
  timeoutMs: number;
  retry: RetryPolicy;
  fetch: typeof globalThis.fetch;
  /** Unset in browsers, which send their own. */
  userAgent?: string;
  largeIntegers: LargeIntegers;
}

/** Sends requests, retries those that may be retried, and converts responses to values and errors. */
export class HttpClient {
  private renewing: Promise<boolean> | undefined;

  constructor(readonly settings: HttpSettings) {}

  /** @throws SpooledError (one of its subclasses); the reason of `signal` if it aborted the call */
  async call<R extends AnyRoute>(route: R, call: Call<R> = {}): Promise<ResponseBody<R>> {
    return fromWire(await this.send(requestOf(route, call))) as ResponseBody<R>;
  }

  /** The rows of a list, with `hasMore` and `nextCursor`. @throws as {@link call} */
  async list<R extends AnyRoute>(route: R, call: ListCall<R> = {}): Promise<List<Row<R>>> {
    let hasMore: boolean | null = null;
    let nextCursor: string | null = null;
    const onHeaders = (headers: Headers) => {
      hasMore = flagOf(headers.get('x-has-more'));
      nextCursor = headers.get('x-next-cursor');
    };
    const request = { ...requestOf(route, call as Call<R>), onHeaders };
    const rows = fromWire(await this.send(request)) as Row<R>[];
    if (!Array.isArray(rows)) throw foreignResponse(request, 200, 'is no list');
    // A cache that ignores the query repeats a page without end.
    if (nextCursor !== null && nextCursor === (call.query as { after?: string } | undefined)?.after)
      throw foreignResponse(request, 200, 'is the page before');
    return listOf(rows, { hasMore, nextCursor });
  }

  /** @returns the response's JSON with the names of the API; undefined without a body. @throws as {@link call} */
  async send(request: RawRequest): Promise<unknown> {
    let hasRun = false;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.sendRenewing(request);
      } catch (error) {
        request.signal?.throwIfAborted();
        if (hasRun && (await request.isDone?.(error))) return undefined;
        hasRun ||= mayHaveRun(error);
        const wait = nextDelay(this.settings.retry, error, attempt, request.idempotent ?? false);
        if (wait === null) throw error;
        await sleep(wait, request.signal);
      }
    }
  }

  /** Opens a streaming response; not retried. @throws as {@link call} */
  async open(path: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
    const response = await this.fetch({ method: 'GET', path, headers }, signal);
    if (!response.ok) throw errorOf(response.status, response.headers, this.parse(await response.text()));
    return response;
  }

  /** Renews the access token; calls at the same time share one request. @returns false without a refresh token */
  renew(): Promise<boolean> {
    this.renewing ??= this.requestToken().finally(() => (this.renewing = undefined));
    return this.renewing;
  }

  private async requestToken(): Promise<boolean> {
    const { credentials } = this.settings;
    if (!credentials.refreshToken) return false;
    const body = JSON.stringify({ refresh_token: credentials.refreshToken });
    const response = await this.sendOnce({ method: 'POST', path: refreshPath, body });
    credentials.renew((response as { access_token: string }).access_token);
    return true;
  }

  /** Renews an expired access token once, unless another request has done so meanwhile. */
  private async sendRenewing(request: RawRequest): Promise<unknown> {
    const { credentials } = this.settings;
    const sent = credentials.bearer;
    try {
      return await this.sendOnce(request);
    } catch (error) {
      if (!(error instanceof AuthenticationError) || request.path === refreshPath) throw error;
      if (credentials.bearer === sent && !(await this.renew())) throw error;
      return this.sendOnce(request);
    }
  }

  private async sendOnce(request: RawRequest): Promise<unknown> {
    const timeout = AbortSignal.timeout(request.timeoutMs ?? this.settings.timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    const response = await this.fetch(request, signal);
    const text = await response.text().catch((error: unknown) => {
      throw new NetworkError(`The response to ${request.method} ${request.path} was interrupted`, error);
    });
    if (!response.ok) throw errorOf(response.status, response.headers, this.parse(text));
    const value = this.parse(text);
    // Otherwise the page of a proxy or of another program would pass for a success.
    if (value === undefined && text !== '') throw foreignResponse(request, response.status, 'is no JSON');
    request.onHeaders?.(response.headers);
    return value;
  }

  private parse(text: string): unknown {
    try {
      return parseJson(text, this.settings.largeIntegers);
    } catch {
      // Not JSON, for example a proxy's error page.
      return undefined;
    }
  }

  private async fetch({ method, path, body, headers }: RawRequest, signal: AbortSignal): Promise<Response> {
    const { baseUrl, credentials, userAgent } = this.settings;
    // The access token has expired.
    const bearer = path === refreshPath ? undefined : credentials.bearer;
    const authorization = bearer && { authorization: `Bearer ${bearer}` };
    const response = await this.respond({ method, path }, baseUrl + path, {
      method,
      body,
      // It would take a POST for a GET, and secrets of headers and bodies to another host.
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        ...(userAgent && { 'user-agent': userAgent }),
        ...authorization,
        ...headers,
      },
      signal,
    });
    if (!isRedirect(response)) return response;
    void response.body?.cancel();
    throw redirected({ method, path }, response);
  }

  private async respond({ method, path }: RawRequest, url: string, init: RequestInit): Promise<Response> {
    try {
      return await this.settings.fetch(url, init);
    } catch (error) {
      throw new NetworkError(`${method} ${path} got no response: ${(error as Error).message}`, error);
    }
  }
}

/** Browsers show nothing of a redirect but that it is one. */
const isRedirect = ({ type, status }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400);

const refreshPath = '/api/v1/auth/refresh';

function requestOf<R extends AnyRoute>(route: R, call: Call<R>): RawRequest {
  const [method, template] = route.split(' ') as [string, string];
  const path = pathOf(template, call.params ?? {}) + queryText(call.query);
  const body = call.body === undefined ? undefined : writeJson(toWire(call.body));
  const idempotent = call.idempotent ?? (method !== 'POST' || hasIdempotencyKey(call.body));
  const { signal, timeoutMs, headers, isDone = method === 'DELETE' ? isGone : undefined } = call;
  return { method, path, body, headers, idempotent, isDone, signal, timeoutMs };
}

const isGone = (error: unknown): boolean => error instanceof NotFoundError && !isForeign(error);

const flagOf = (header: string | null): boolean | null => (header === null ? null : header === 'true');

function queryText(query: unknown): string {
  const pairs = Object.entries((toWire(query) ?? {}) as Record<string, unknown>)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]): [string, string] => [name, String(value)]);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

const hasIdempotencyKey = (body: unknown): boolean =>
  typeof (body as { idempotencyKey?: unknown } | undefined)?.idempotencyKey === 'string';
