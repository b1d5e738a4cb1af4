import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { productMetrics } from '@spooled/contracts';
import { createLogger, createMetrics, HealthChecks, readSettings } from '@spooled/platform';
import { createGateway } from './create-gateway.js';
import { gatewaySettings } from './gateway.config.js';
import type { GatewayService } from './gateway.config.js';

export interface TestResponse {
  status: number;
  headers: Record<string, unknown>;
  // Specs compare it with literals of any shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

export interface TestGateway {
  app: NestFastifyApplication;
  service: GatewayService;
  /** Log lines, as JSON. */
  logs: string[];
  /** Sends a request below /api/v1 with the key as credential, without a network. */
  request(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    key: string | null,
    body?: unknown,
  ): Promise<TestResponse>;
  stop(): Promise<void>;
}

/** Starts a gateway in this process, without a port. Without `redisUrl`, commands take the direct path. */
export async function startGateway(
  database: { appUrl: string; systemUrl: string },
  { redisUrl, env = {} }: { redisUrl?: string; env?: Record<string, string> } = {},
): Promise<TestGateway> {
  const logs: string[] = [];
  const stops: (() => Promise<unknown> | void)[] = [];
  const logger = createLogger({
    service: 'gateway',
    level: 'debug',
    destination: { write: (line) => logs.push(line) },
  });
  const service: GatewayService = {
    name: 'gateway',
    version: 'spec',
    settings: readSettings(gatewaySettings, {
      DATABASE_URL: database.appUrl,
      DATABASE_SYSTEM_URL: database.systemUrl,
      DATABASE_MIN_CONNECTIONS: '0',
      DATABASE_ACQUIRE_TIMEOUT_SECS: '5',
      REDIS_URL: redisUrl,
      JWT_SECRET: 'a secret that only these specs know',
      RUST_ENV: 'development',
      ...env,
    }),
    logger,
    metrics: createMetrics(productMetrics),
    health: new HealthChecks(logger),
    stopping: new AbortController().signal,
    onStop: (_part, stop) => void stops.push(stop),
    answerHealthWith: () => undefined,
  };
  const app = await createGateway(service);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  stops.push(() => app.close());
  return {
    app,
    service,
    logs,
    request: (method, path, key, body) => ask(app, method, path, key, body),
    stop: async () => {
      for (const each of stops.splice(0).reverse()) await each();
    },
  };
}

async function ask(
  app: NestFastifyApplication,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  key: string | null,
  body: unknown,
): Promise<TestResponse> {
  const response = await app.inject({
    method,
    url: `/api/v1${path}`,
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    payload: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = response.body;
  return { status: response.statusCode, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}
