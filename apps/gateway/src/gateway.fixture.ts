import { randomInt } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { productMetrics } from '@spooled/contracts';
import { createLogger, createMetrics, HealthChecks, readSettings } from '@spooled/platform';
import { REDIS } from '@spooled/service';
import {
  eventually,
  patientTimeouts,
  root,
  type TestDatabase,
  type TestRedis,
  useDatabase,
  useForAll,
} from '@spooled/testing';
import type { RedisShards } from '@spooled/transport';
import { createGateway } from './create-gateway.js';
import { gatewaySettings } from './gateway.config.js';
import type { GatewayService } from './gateway.config.js';
import { ApiDescription } from './openapi/api-description.js';
import { documentFor } from './openapi/served-documents.js';

export interface TestResponse {
  status: number;
  headers: Record<string, unknown>;
  // Specs compare it with literals of any shape.
  // oxlint-disable-next-line typescript/no-explicit-any
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

/** An address for `x-forwarded-for`: each allows 60 requests of administrators per minute. Needs TRUSTED_PROXY_HOPS=1. */
export const randomAddress = (): string => [10, randomInt(256), randomInt(256), randomInt(1, 256)].join('.');

/** A gateway without Redis, and its database, for all tests of a file. */
export function useGateway(env: Record<string, string> = {}): { database: TestDatabase; gateway: TestGateway } {
  const database = useDatabase();
  return { database, gateway: useGatewayOn(database, { env }) };
}

/** A gateway on these stores for all tests of a file. */
export const useGatewayOn = (
  database: TestDatabase,
  { redis, env }: { redis?: TestRedis; env?: Record<string, string> },
): TestGateway =>
  useForAll(
    () => startGateway(database, { redisUrl: redis?.url, env }),
    ({ stop }) => stop(),
  );

/**
 * A function that starts gateways on one database and, if there is one, one Redis; all stop after the last test of the file.
 * An empty `redisUrl` starts one without Redis.
 */
export function useGateways(database: TestDatabase, redis?: TestRedis): StartGateway {
  const started = useForAll(
    () => Promise.resolve({ gateways: [] as TestGateway[] }),
    ({ gateways }) => Promise.all(gateways.map((gateway) => gateway.stop())),
  );
  return async (env, redisUrl = redis?.url) => {
    const gateway = await startGateway(database, { redisUrl, env });
    started.gateways.push(gateway);
    return gateway;
  };
}
type StartGateway = (env?: Record<string, string>, redisUrl?: string) => Promise<TestGateway>;

/** As `useGateways`, for tests that may share a gateway: the same settings give the same one. */
export function useSharedGateways(database: TestDatabase, redis?: TestRedis): StartGateway {
  const start = useGateways(database, redis);
  const shared = new Map<string, Promise<TestGateway>>();
  return (env, redisUrl = redis?.url) => {
    const settings = JSON.stringify({ env, redisUrl });
    const gateway = shared.get(settings) ?? start(env, redisUrl);
    shared.set(settings, gateway);
    return gateway;
  };
}

interface GatewayOptions {
  /** Unset or empty: commands take the direct path. */
  redisUrl?: string;
  /** False: nothing answers at `redisUrl`. */
  isRedisUp?: boolean;
  env?: Record<string, string>;
}

/**
 * Starts a gateway in this process, without a port. It is connected to its Redis when the promise resolves: until then it counts,
 * caches and explains by itself.
 */
export async function startGateway(
  database: { appUrl: string; systemUrl: string },
  { redisUrl, isRedisUp = true, env = {} }: GatewayOptions = {},
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
      // A busy machine may stop any process for seconds.
      DATABASE_ACQUIRE_TIMEOUT_SECS: '20',
      ...patientTimeouts,
      REDIS_URL: redisUrl,
      JWT_SECRET: 'a secret that only these specs know',
      SPOOLED_ENV: 'development',
      SHUTDOWN_DRAIN_SECS: '0',
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
  endTimersOfResponses(app);
  // The build puts them beside a bundle.
  app.get(ApiDescription).read = async (name) => Buffer.from(await documentFor(root, name));
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  stops.push(() => app.close());
  if (redisUrl && isRedisUp) await eventually(() => expect(app.get<RedisShards>(REDIS).connected).toBe(true));
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

/** For bursts of as many requests as a minute allows: in the next minute, those of this one count less with each second. */
export const untilBurstFitsMinute = () => eventually(() => expect(Date.now() % 60_000).toBeLessThan(50_000));

/** An injected response without a body keeps its timer (`closeUnread`), for which the worker of the specs would wait 30 s. */
function endTimersOfResponses(app: NestFastifyApplication): void {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onResponse', (_request, { raw }, done) => {
      clearTimeout((raw as { timeoutHandle?: NodeJS.Timeout }).timeoutHandle);
      done();
    });
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
