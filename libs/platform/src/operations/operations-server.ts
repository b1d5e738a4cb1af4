import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HealthChecks, HealthReport } from '../health/health-checks.js';
import type { AppLogger } from '../log/logger.js';
import type { Scrape } from '../metrics/metrics.js';
import { bearerMatches } from './bearer.js';
import { RequestWindow } from './request-window.js';

export interface OperationsOptions {
  host: string;
  /** 0 = a free port. */
  port: number;
  /** If set, /metrics requires it as bearer token. */
  metricsToken?: string;
  metrics: Scrape;
  health: HealthChecks;
  /** The body of /health and /health/ready. Default: the report. */
  healthBody?: (report: HealthReport) => unknown;
  logger: AppLogger;
}

interface OperationsResponse {
  status: number;
  body: string;
  contentType: string;
  headers?: Record<string, string>;
}

const json = (status: number, body: unknown, headers?: Record<string, string>): OperationsResponse => ({
  status,
  body: JSON.stringify(body),
  contentType: 'application/json',
  headers,
});

const scrapesPerMinute = 60;

/** Metrics and health on a separate port for operators, which need not be exposed. */
export class OperationsServer {
  private readonly server: Server;
  private readonly scrapes = new RequestWindow(scrapesPerMinute, 60_000);

  constructor(private readonly options: OperationsOptions) {
    this.server = createServer((request, response) => void this.handle(request, response));
  }

  /** Resolves with the port once it listens. Rejects if the port is in use. */
  async start(): Promise<number> {
    this.server.listen(this.options.port, this.options.host);
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { status, body, contentType, headers } = await this.respond(request);
      response
        .writeHead(status, { 'content-type': contentType, ...headers })
        .end(request.method === 'HEAD' ? '' : body);
    } catch (err) {
      this.options.logger.error({ err, path: request.url }, 'operations request failed');
      if (!response.headersSent) response.writeHead(500);
      response.end();
    }
  }

  private async respond(request: IncomingMessage): Promise<OperationsResponse> {
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (request.method !== 'GET' && request.method !== 'HEAD') return json(405, { message: 'Method not allowed' });
    if (path === '/metrics') return this.metrics(request);
    if (path === '/health/live') return json(200, { status: 'alive' });
    if (path === '/health') return this.health((report) => report.status !== 'unhealthy');
    if (path === '/health/ready') return this.health(() => this.options.health.ready(searchParams.getAll('exclude')));
    return json(404, { message: 'Not found' });
  }

  private async metrics(request: IncomingMessage): Promise<OperationsResponse> {
    const { metricsToken, metrics } = this.options;
    const wait = this.scrapes.retryAfterSeconds(request.socket.remoteAddress ?? '');
    if (wait > 0) return json(429, { message: 'Too many requests' }, { 'retry-after': String(wait) });
    if (metricsToken && !bearerMatches(request.headers.authorization, metricsToken)) {
      return json(401, { message: 'Bearer token required' }, { 'www-authenticate': 'Bearer' });
    }
    return { status: 200, body: await metrics.text(), contentType: metrics.contentType };
  }

  private async health(passes: (report: HealthReport) => boolean | Promise<boolean>): Promise<OperationsResponse> {
    const report = await this.options.health.report();
    return json((await passes(report)) ? 200 : 503, this.options.healthBody?.(report) ?? report);
  }
}
