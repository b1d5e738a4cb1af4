import { notFound } from '@spooled/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AddressLimits } from '../limits/address-limits.js';
import { rateHeaders } from '../limits/rate-limits.js';

/** Admits or rejects a request before its body is read. @throws SpooledError */
export type AdmissionPolicy = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> | void;

/**
 * Runs a service's admission policy before the body of each request is read. Requests for unknown routes are rejected, and
 * counted by address to limit probing.
 * @param refuseUnknown counts such a request; default: `AddressLimits.check`
 */
export function admitRequests(
  fastify: FastifyInstance,
  addresses: AddressLimits,
  policy: AdmissionPolicy = () => undefined,
  refuseUnknown: AdmissionPolicy = ({ headers, socket }, reply) =>
    addresses.check({
      address: addresses.addressOf(headers, socket.remoteAddress),
      onCount: (rate) => void reply.headers(rateHeaders(rate)),
    }),
): void {
  fastify.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return void (await policy(request, reply));
    await refuseUnknown(request, reply);
    throw notFound('Route');
  });
}
