import { addressBlock, clientAddress, type ShareOwner } from '@spooled/domain';
import { ownerOfPrincipal, proxyTrust } from '@spooled/service';
import type { FastifyRequest } from 'fastify';
import type { GatewaySettings } from '../gateway.config.js';

/** Callers of one address without a credential get at most an eighth of the capacity. */
const addressWeight = 1 / 7;

/** In whose share a request counts: its organization's or, on routes without credential, its address's. */
export function ownerOfRequest({ principal, headers, socket }: FastifyRequest, settings: GatewaySettings): ShareOwner {
  if (principal) return ownerOfPrincipal(principal);
  const address = clientAddress(headers, socket.remoteAddress ?? 'unknown', proxyTrust(settings));
  return { name: addressBlock(address), weight: addressWeight };
}
