import { checkCallbackUrl, type CallbackPolicy } from '@spooled/domain';
import { TimeLimitError } from '@spooled/platform';
import { Agent, request, type Dispatcher } from 'undici';
import { CallbackError } from './callback-error.js';
import { checkedLookup, resolveFor, type Resolve } from './checked-lookup.js';

export interface CallbackResponse {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  /** The Content-Type header; '' if absent. */
  contentType: string;
  /** The Retry-After header. */
  retryAfter?: string;
  /** The first bytes of the body; 4 KiB unless `maxBodyBytes` is set. */
  body: string;
  /** Whether the body was longer. */
  truncated: boolean;
}

export interface CallbackRequest {
  headers: Record<string, string>;
  /** Headers that may hold secrets of the receiver: not sent to other origins that it redirects to. */
  originHeaders?: Record<string, string>;
  body: string;
  signal?: AbortSignal;
  /** Overrides the client's `timeoutMs`. */
  timeoutMs?: number;
  /** Bytes of the response body to keep. */
  maxBodyBytes?: number;
}

export interface CallbackClientOptions extends CallbackPolicy {
  /** Name resolution. Default: `resolveFor`. */
  resolve?: Resolve;
  /** Those that are asked in production, `address:port`. Default: the system's. */
  nameServers?: readonly string[];
  /** Limit of a whole call: name lookup, connections, redirects and responses. */
  timeoutMs?: number;
}

type Message = CallbackRequest & { signal: AbortSignal; maxBodyBytes: number };

const connectTimeoutMs = 5_000;
/** Short, so that sockets to many receivers do not accumulate, but long enough for a burst to one of them. */
const idleTimeoutMs = 4_000;
const maxRedirects = 5;
const defaultMaxBodyBytes = 4_096;
const redirects = new Set([301, 302, 303, 307, 308]);

/** Posts to URLs configured by tenants, and never to internal networks (SP-57). */
export class CallbackClient {
  private readonly agent: Agent;
  private readonly totalTimeoutMs: number;

  constructor(private readonly options: CallbackClientOptions) {
    this.totalTimeoutMs = options.timeoutMs ?? 10_000;
    const resolve = options.resolve ?? resolveFor(options, options.nameServers);
    this.agent = new Agent({
      connect: { lookup: checkedLookup(options, resolve), timeout: connectTimeoutMs },
      keepAliveTimeout: idleTimeoutMs,
      // Receivers may ask for less only.
      keepAliveMaxTimeout: idleTimeoutMs,
    });
  }

  /**
   * Sends a POST and follows redirects, each checked like the first URL. Every hop is a POST with the body: as a GET
   * the event would be lost, hidden by the receiver's 200.
   * @throws CallbackError or a connection error; `reasonOf` describes either
   */
  async post(url: string, callback: CallbackRequest): Promise<CallbackResponse> {
    const { signal, timeoutMs = this.totalTimeoutMs, maxBodyBytes = defaultMaxBodyBytes } = callback;
    // Not AbortSignal.any: on Node 20 a process-wide signal would retain every signal derived from it.
    const controller = new AbortController();
    const limit = setTimeout(() => controller.abort(new TimeLimitError(timeoutMs)), timeoutMs);
    const abort = () => controller.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await this.follow(url, { ...callback, maxBodyBytes, signal: controller.signal });
    } finally {
      clearTimeout(limit);
      signal?.removeEventListener('abort', abort);
    }
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async follow(url: string, message: Message): Promise<CallbackResponse> {
    let target = url;
    const { origin } = URL.canParse(url) ? new URL(url) : { origin: null };
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const isOrigin = URL.canParse(target) && new URL(target).origin === origin;
      const headers = isOrigin ? { ...message.originHeaders, ...message.headers } : message.headers;
      const response = await this.send(target, { ...message, headers });
      const location = redirects.has(response.statusCode) ? headerOf(response, 'location') : undefined;
      if (location === undefined) return readResponse(response, message.maxBodyBytes);
      await response.body.dump({ limit: defaultMaxBodyBytes, signal: message.signal });
      target = locationFrom(target, location);
    }
    throw new CallbackError(`More than ${maxRedirects} redirects`);
  }

  private async send(target: string, { headers, body, signal }: Message): Promise<Dispatcher.ResponseData> {
    const refusal = checkCallbackUrl(target, this.options);
    if (refusal) throw new CallbackError(refusal);
    // The timeout of the whole call applies; undici's own limit of 300 s would end longer ones.
    const limits = { headersTimeout: 0, bodyTimeout: 0 };
    return request(target, { dispatcher: this.agent, method: 'POST', headers, body, signal, ...limits });
  }
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function locationFrom(base: string, location: string): string {
  if (!URL.canParse(location, base)) throw new CallbackError('The receiver redirects to an invalid URL');
  return new URL(location, base).href;
}

/** Reads only the bytes to keep; a longer response is aborted with its connection. */
async function readResponse(response: Dispatcher.ResponseData, maxBodyBytes: number): Promise<CallbackResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBodyBytes) break;
  }
  return {
    statusCode: response.statusCode,
    headers: response.headers,
    contentType: headerOf(response, 'content-type') ?? '',
    retryAfter: headerOf(response, 'retry-after'),
    body: Buffer.concat(chunks).subarray(0, maxBodyBytes).toString('utf8'),
    truncated: size > maxBodyBytes,
  };
}
