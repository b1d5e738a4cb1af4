import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { InFlight } from '@spooled/domain';
import { type RetryOptions, type Spooled, SpooledError } from '@spooled/sdk';
import { sentenceOf } from '../io/error-text.js';
import { type Address, serveHttp as listen } from '../io/http-server.js';
import { agentServer } from './agent-server.js';
import { AgentSession } from './agent-session.js';
import { type Budget, HourlyAllowances } from './allowance.js';
import { HttpSessions } from './http-sessions.js';

const path = '/mcp';
/** Bytes of a request: a hundred ids and a search line are far less. */
const largestBody = 256 * 1024;
/** Keys that are checked at a time, so that a flood of wrong ones uses few requests of the API. */
const mostChecks = 16;

export interface HttpOptions {
  address: Address;
  /** Null leaves out the tools that change something. */
  budget: Budget | null;
  /** A client of the API with an agent's key. @throws Error for characters that no key has */
  clientWith: (apiKey: string, options?: { retry: RetryOptions }) => Spooled;
  /** Ends the server. */
  signal: AbortSignal;
  now?: () => number;
}

/**
 * Serves agents over streamable HTTP until `signal` is aborted (BX-39). Each agent brings a key, whose role decides what it may
 * do; all sessions of a key share one allowance.
 * @param listening is told the URL for agents
 * @throws UsageError when the address cannot be used
 */
export async function serveHttp(options: HttpOptions, listening: (url: string) => void): Promise<void> {
  const agents = new HttpAgents(options);
  const { url, stop } = await listen(options.address, (request, response) => {
    agents.answer(request, response).catch((error) => refuse(response, 500, sentenceOf(error)));
  });
  try {
    listening(`${url}${path}`);
    if (!options.signal.aborted) await once(options.signal, 'abort');
  } finally {
    agents.close();
    await stop();
  }
  options.signal.throwIfAborted();
}

class HttpAgents {
  private readonly sessions: HttpSessions;
  private readonly allowances: HourlyAllowances;
  private checks = 0;

  constructor(private readonly options: HttpOptions) {
    const now = options.now ?? Date.now;
    this.sessions = new HttpSessions(now);
    this.allowances = new HourlyAllowances(options.budget ?? { changes: 0, jobs: 0 }, now);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (URL.parse(request.url ?? '', 'http://localhost')?.pathname !== path)
      return refuse(response, 404, `Agents are served at ${path}`);
    // Pages of a browser have no business here. Agents that are no browsers send no origin.
    if (request.headers.origin !== undefined) return refuse(response, 403, 'Requests of web pages are refused');
    const key = /^Bearer ([\x21-\x7e]{1,500})$/i.exec(request.headers.authorization ?? '')?.[1];
    if (!key) return refuse(response, 401, 'Send a key of the API as "Authorization: Bearer <key>"');
    // This server sends nothing unasked, so there is no stream to open.
    if (!['POST', 'DELETE'].includes(request.method ?? '')) return refuse(response, 405, 'Use POST or DELETE');
    const keyHash = createHash('sha256').update(key).digest('hex');
    const id = request.headers['mcp-session-id'];
    if (id === undefined) return this.begin(request, response, { key, keyHash });
    const session = this.sessions.use(String(id), keyHash);
    if (!session) return refuse(response, 404, 'There is no such session: begin a new one');
    await session.transport.handleRequest(request, response);
  }

  private async begin(
    request: IncomingMessage,
    response: ServerResponse,
    { key, keyHash }: { key: string; keyHash: string },
  ): Promise<void> {
    const ended = new AbortController();
    const call = { signal: AbortSignal.any([this.options.signal, ended.signal]) };
    if (this.checks === mostChecks) return refuse(response, 503, 'Too many keys are being checked: try again later');
    this.checks++;
    try {
      // Its sender may repeat it: repeated here, wrong keys would hold up others for minutes.
      const checking = this.options.clientWith(key, { retry: { retries: 0 } });
      await checking.organizations.list({ limit: 1 }, call);
    } catch (error) {
      return refuse(response, statusOf(error), sentenceOf(error));
    } finally {
      this.checks--;
    }
    const client = this.options.clientWith(key);
    if (this.sessions.isFull) return refuse(response, 503, 'Too many sessions are open: try again later');
    const session = new AgentSession(() => this.allowances.of(keyHash));
    const server = agentServer({ client, session, call, calls: new InFlight() }, { readOnly: !this.options.budget });
    const close = async () => {
      ended.abort();
      await server.close();
    };
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      maxRequestBodySize: largestBody,
      onsessioninitialized: (id) => this.sessions.add(id, { transport, close, keyHash }),
      onsessionclosed: (id) => this.sessions.close(id),
    });
    await server.connect(transport);
    await transport.handleRequest(request, response);
    // The request was none that begins a session.
    if (transport.sessionId === undefined) await close();
  }

  close(): void {
    this.sessions.closeAll();
  }
}

/** What an agent is answered whose key the API refuses, or when the API does not answer. */
const statusOf = (error: unknown): number =>
  error instanceof SpooledError && error.status >= 400 && error.status < 500 ? error.status : 503;

/** An error of the protocol, as the SDK of the protocol sends them. */
function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(status === 405 ? { allow: 'POST, DELETE' } : {}),
  });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
}
