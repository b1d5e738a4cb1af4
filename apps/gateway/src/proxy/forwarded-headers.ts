import { clientAddress, type ProxyTrust } from '@spooled/domain';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface Forwarded {
  headers: Headers;
  remoteAddress: string;
  requestId: string;
}

/**
 * What a service behind us is told about the caller: the address that we found, the chain of addresses with our peer at
 * its end, and the request's id. The caller's own claim to an address is replaced.
 */
export function forwardedHeaders({ headers, remoteAddress, requestId }: Forwarded, trust: ProxyTrust) {
  const chain = [headers['x-forwarded-for'], remoteAddress].flat().filter(Boolean).join(', ');
  return {
    'x-forwarded-for': chain,
    'x-real-ip': clientAddress(headers, remoteAddress, trust),
    'cf-connecting-ip': undefined,
    'x-request-id': requestId,
  };
}
