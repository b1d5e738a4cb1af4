import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { nestOptions, withPlatform } from '../lifecycle/platform.module.js';
import type { ServiceContext } from '../lifecycle/service-context.js';
import { limitBodies, type BodyBudgetOptions } from './body-budget.js';
import { respondToParserError } from './refusals.js';
import { requestIdFrom } from './request-id.js';
import { logRequests } from './access-log.js';
import { SharedPort } from './shared-port.js';
import { drainConnections } from './stopping-connections.js';

declare module 'fastify' {
  interface FastifyInstance {
    sharedPort: SharedPort;
  }
}

export interface HttpAppOptions {
  /** Larger bodies get 413. Default 1 MiB. */
  bodyLimitBytes?: number;
  /** Proxies whose X-Forwarded-For is trusted: number of hops, or addresses and networks. Default: none. */
  trustProxy?: boolean | number | string | string[];
  /** Keeps the unparsed body at `request.rawBody`, for signatures. */
  rawBody?: boolean;
  /** Maximum time for receiving a whole request, in milliseconds. Default 30 s. */
  requestTimeoutMs?: number;
  /** How long a server that closes still answers on open connections, in milliseconds. Default 0. */
  drainMs?: number;
  /** Whether the service takes WebSockets, by the event `upgrade` of its server. Default false. */
  webSockets?: boolean;
  /** Limits the bodies in memory. */
  bodies?: BodyBudgetOptions;
  /** Responds to requests that the router rejects before any hook runs: malformed URLs, overlong path parameters. */
  rejectUnroutable?: (error: Error, request: FastifyRequest, reply: FastifyReply) => void;
}

// Longer than the idle timeout of common load balancers (60 s), so that they close connections first.
const keepAliveMs = 65_000;
const longestPathParameter = 512;
/** Interval at which Node checks the request timeout; its default of 30 s would double the timeout. */
const longestCheckMs = 5_000;
const longestHeadersMs = 15_000;
/** Of the sockets of Node's HTTP servers. */
const nodeServerOptions = { allowHalfOpen: true, noDelay: true };

/**
 * Creates a Nest application on Fastify with a request id (`x-request-id`, generated if absent), server span, log context and access
 * log line per request. The caller adds filters, registers `app.close()` with `onStop`, and listens with `listenHttp`.
 */
export async function createHttpApp(
  root: Type,
  service: ServiceContext,
  options: HttpAppOptions = {},
): Promise<NestFastifyApplication> {
  const { bodyLimitBytes = 1024 * 1024, trustProxy = false, rawBody, requestTimeoutMs = 30_000, webSockets } = options;
  const adapter = new FastifyAdapter({
    bodyLimit: bodyLimitBytes,
    trustProxy: typeof trustProxy === 'number' ? (_address: string, hop: number) => hop < trustProxy : trustProxy,
    requestTimeout: requestTimeoutMs,
    http: {
      connectionsCheckingInterval: Math.min(longestCheckMs, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      // Node uses the longer of the two for the whole request, and its default is longer.
      headersTimeout: Math.min(longestHeadersMs, requestTimeoutMs),
      // Other upgrades are offers that a server may ignore, such as h2c, which clients of Java make with every first request.
      shouldUpgradeCallback: ({ headers }) => webSockets === true && headers.upgrade?.toLowerCase() === 'websocket',
    },
    keepAliveTimeout: keepAliveMs,
    requestIdHeader: false,
    // They are answered: see `drainConnections`.
    return503OnClosing: false,
    // It would also end a shutdown after 10 s, with requests in flight; SHUTDOWN_TIMEOUT_SECS limits that.
    pluginTimeout: 0,
    clientErrorHandler: respondToParserError as never,
    genReqId: (request: { headers: Record<string, string | string[] | undefined> }) =>
      requestIdFrom(request.headers['x-request-id']),
    routerOptions: { maxParamLength: longestPathParameter },
    ...(options.rejectUnroutable && { frameworkErrors: options.rejectUnroutable }),
  });
  const fastify = adapter.getInstance();
  logRequests(fastify, service.logger);
  const onError = (err: Error) => service.logger.error({ err }, 'a connection could not be accepted');
  fastify.decorate('sharedPort', new SharedPort(fastify.server, nodeServerOptions, onError));
  drainConnections(fastify, options.drainMs ?? 0);
  if (options.bodies) limitBodies(fastify, options.bodies);
  return NestFactory.create<NestFastifyApplication>(withPlatform(root, service), adapter, {
    ...nestOptions(service),
    rawBody,
  });
}

/** Lets an application of `createHttpApp` listen. @throws Error when the port is taken or the host unknown */
export function listenHttp(app: NestFastifyApplication, port: number, host: string): Promise<void> {
  const { sharedPort } = app.getHttpAdapter().getInstance();
  return sharedPort.listen({ port, host }, (options) => app.listen(options));
}
