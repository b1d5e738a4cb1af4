import { checkCallbackUrl, type CallbackPolicy } from '@spooled/domain';
import { TimeLimitError } from '@spooled/platform';
import { Agent, request, type Dispatcher } from 'undici';
import { CallbackError } from './callback-error.js';
import { checkedLookup, type Resolve } from './checked-lookup.js';

export interface CallbackAnswer {
  statusCode: number;
  /** As the receiver names it; '' when it does not. */
  contentType: string;
  /** Its beginning; 4 KiB unless the caller wants to keep more. */
  body: string;
  /** Whether there was more of it. */
  truncated: boolean;
}

export interface CallbackRequest {
  headers: Record<string, string>;
  body: string;
  signal?: AbortSignal;
  /** In place of `totalLimitMs`. */
  limitMs?: number;
  /** Bytes of the answer that are of use. */
  keptBytes?: number;
}

export interface CallbackClientOptions extends CallbackPolicy {
  /** How names become addresses; the system's way unless given. */
  resolve?: Resolve;
  /** For one whole delivery: name lookup, connections, redirects and answers. */
  totalLimitMs?: number;
}

type Message = CallbackRequest & { signal: AbortSignal; keptBytes: number };

const connectLimitMs = 5_000;
const maxRedirects = 5;
const defaultKeptBytes = 4_096;
const redirects = new Set([301, 302, 303, 307, 308]);

/** Posts to URLs that tenants chose, and never to anything inside our own network (SP-57). */
export class CallbackClient {
  private readonly agent: Agent;
  private readonly totalLimitMs: number;

  constructor(private readonly options: CallbackClientOptions) {
    this.totalLimitMs = options.totalLimitMs ?? 10_000;
    this.agent = new Agent({
      connect: { lookup: checkedLookup(options, options.resolve), timeout: connectLimitMs },
      // Short, so that sockets to very many receivers do not pile up, yet long enough for a burst to one of them.
      keepAliveTimeout: 4_000,
      keepAliveMaxTimeout: 30_000,
    });
  }

  /**
   * Sends one POST and follows redirects, each checked like the first URL. It stays a POST with its body on every hop: as a GET
   * the event would be lost, and the receiver's 200 would hide it.
   * @throws CallbackError, or the error of the connection; `reasonOf` puts either into words
   */
  async post(url: string, callback: CallbackRequest): Promise<CallbackAnswer> {
    const { signal, limitMs = this.totalLimitMs, keptBytes = defaultKeptBytes } = callback;
    // Not AbortSignal.any: on Node 20 a signal that lives as long as the process would keep every one made from it.
    const attempt = new AbortController();
    const limit = setTimeout(() => attempt.abort(new TimeLimitError(limitMs)), limitMs);
    const onAbort = () => attempt.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await this.follow(url, { ...callback, keptBytes, signal: attempt.signal });
    } finally {
      clearTimeout(limit);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async follow(url: string, message: Message): Promise<CallbackAnswer> {
    let target = url;
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const answer = await this.send(target, message);
      const location = redirects.has(answer.statusCode) ? headerOf(answer, 'location') : undefined;
      if (location === undefined) return answerOf(answer, message.keptBytes);
      await answer.body.dump({ limit: defaultKeptBytes, signal: message.signal });
      target = locationFrom(target, location);
    }
    throw new CallbackError(`More than ${maxRedirects} redirects`);
  }

  private async send(target: string, { headers, body, signal }: Message): Promise<Dispatcher.ResponseData> {
    const refusal = checkCallbackUrl(target, this.options);
    if (refusal) throw new CallbackError(refusal);
    // The limit of the whole call holds; undici's own of 300 s would end longer ones.
    const limits = { headersTimeout: 0, bodyTimeout: 0 };
    return request(target, { dispatcher: this.agent, method: 'POST', headers, body, signal, ...limits });
  }
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function locationFrom(base: string, location: string): string {
  if (!URL.canParse(location, base)) throw new CallbackError('The receiver redirects to something that is no URL');
  return new URL(location, base).href;
}

/** Reads no more of an answer than is kept; a longer one is cut off together with its connection. */
async function answerOf(answer: Dispatcher.ResponseData, keptBytes: number): Promise<CallbackAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > keptBytes) break;
  }
  return {
    statusCode: answer.statusCode,
    contentType: headerOf(answer, 'content-type') ?? '',
    body: Buffer.concat(chunks).subarray(0, keptBytes).toString('utf8'),
    truncated: size > keptBytes,
  };
}
