import { notFound } from '@spooled/domain';
import type { RateLimitResult } from '@spooled/transport';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AddressLimits } from '../limits/address-limits.js';
import { rateHeaders } from '../limits/rate-limits.js';

/** Admits or rejects a request before its body is read. @throws SpooledError */
export type AdmissionPolicy = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> | void;

interface Admission {
  /** Default: every request for a known route is admitted. */
  policy?: AdmissionPolicy;
  /** Counts a request for an unknown route. Default: `AddressLimits.check`. */
  refuseUnknown?: AdmissionPolicy;
  /** The limit that a response names which was refused before anything was counted, null for none. Default: that of every address. */
  lastKnown?: (request: FastifyRequest) => RateLimitResult | null;
}

/**
 * Runs a service's admission policy before the body of each request is read. Requests for unknown routes are rejected, and
 * counted by address to limit probing.
 * Responses that were refused before anything was counted say what is known (SP-13, PB-14).
 */
export function admitRequests(
  fastify: FastifyInstance,
  addresses: AddressLimits,
  {
    policy = () => undefined,
    refuseUnknown = ({ headers, socket }, reply) =>
      addresses.check({
        address: addresses.addressOf(headers, socket.remoteAddress),
        onCount: (rate) => void reply.headers(rateHeaders(rate)),
      }),
    lastKnown = () => addresses.uncounted(),
  }: Admission = {},
): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const isSilent = !request.url.startsWith('/api/') || reply.hasHeader('x-ratelimit-limit');
    const rate = isSilent ? null : lastKnown(request);
    if (rate) void reply.headers(rateHeaders(rate));
    done(null, payload);
  });
  fastify.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return void (await policy(request, reply));
    await refuseUnknown(request, reply);
    throw notFound('Route');
  });
}
