import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { nestOptions, withPlatform } from '../lifecycle/platform.module.js';
import type { ServiceContext } from '../lifecycle/service-context.js';
import { limitBodies, type BodyBudgetOptions } from './body-budget.js';
import { respondToParserError, refuseWhileStopping } from './refusals.js';
import { requestIdFrom } from './request-id.js';
import { logRequests } from './access-log.js';
import { dropUnusedConnections } from './unused-connections.js';

export interface HttpAppOptions {
  /** Larger bodies are refused with 413. Default 1 MiB. */
  bodyLimitBytes?: number;
  /** Proxies whose X-Forwarded-For is believed: how many hops, or addresses and networks. Default: none. */
  trustProxy?: boolean | number | string | string[];
  /** Keeps the unparsed body at `request.rawBody`, for signatures. */
  rawBody?: boolean;
  /** Milliseconds that a client may take to send its whole request. Default 30 s. */
  requestTimeoutMs?: number;
  /** Bounds the bodies that are held at a time. */
  bodies?: BodyBudgetOptions;
  /** Answers what the router refuses before any hook runs: a malformed URL, an overlong path parameter. */
  rejectUnroutable?: (error: Error, request: FastifyRequest, reply: FastifyReply) => void;
}

// Longer than the 60 s after which common load balancers drop idle connections, so that they and not we close first.
const keepAliveMs = 65_000;
const longestPathParameter = 512;
/** How often Node looks for requests that take too long to arrive; its default of 30 s would double their time. */
const longestCheckMs = 5_000;
const longestHeadersMs = 15_000;

/**
 * A Nest application on Fastify with request ids (`x-request-id` echoed or made), a server span, a log context and an
 * access line per request. The caller adds its own filters, registers `app.close()` with `onStop`, and listens.
 */
export async function createHttpApp(
  root: Type,
  service: ServiceContext,
  options: HttpAppOptions = {},
): Promise<NestFastifyApplication> {
  const { bodyLimitBytes = 1024 * 1024, trustProxy = false, rawBody, requestTimeoutMs = 30_000 } = options;
  const adapter = new FastifyAdapter({
    bodyLimit: bodyLimitBytes,
    trustProxy: typeof trustProxy === 'number' ? (_address: string, hop: number) => hop < trustProxy : trustProxy,
    requestTimeout: requestTimeoutMs,
    http: {
      connectionsCheckingInterval: Math.min(longestCheckMs, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      // Node takes the longer of the two for the whole request, and its default is longer than ours.
      headersTimeout: Math.min(longestHeadersMs, requestTimeoutMs),
    },
    keepAliveTimeout: keepAliveMs,
    requestIdHeader: false,
    // `refuseWhileStopping` answers them in the product's form.
    return503OnClosing: false,
    clientErrorHandler: respondToParserError as never,
    genReqId: (request: { headers: Record<string, string | string[] | undefined> }) =>
      requestIdFrom(request.headers['x-request-id']),
    routerOptions: { maxParamLength: longestPathParameter },
    ...(options.rejectUnroutable && { frameworkErrors: options.rejectUnroutable }),
  });
  logRequests(adapter.getInstance(), service.logger);
  refuseWhileStopping(adapter.getInstance());
  dropUnusedConnections(adapter.getInstance());
  if (options.bodies) limitBodies(adapter.getInstance(), options.bodies);
  return NestFactory.create<NestFastifyApplication>(withPlatform(root, service), adapter, {
    ...nestOptions(service),
    rawBody,
  });
}
