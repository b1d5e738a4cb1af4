import { clientAddress, trustedChain, type ProxyTrust } from '@spooled/domain';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface Forwarded {
  headers: Headers;
  remoteAddress: string;
  requestId: string;
}

/**
 * Headers with the caller's address for an upstream service. They come from the gateway or from the operator's proxies; headers that the
 * caller has forged are removed. The service reads them as it would behind an ingress.
 */
export function forwardedHeaders({ headers, remoteAddress, requestId }: Forwarded, trust: ProxyTrust) {
  const address = clientAddress(headers, remoteAddress, trust);
  const chain = trust.header ? [] : trustedChain(headers, trust.hops);
  return {
    forwarded: undefined,
    'cf-connecting-ip': undefined,
    'true-client-ip': undefined,
    'x-forwarded-for': chain.length < trust.hops || chain.length === 0 ? address : chain.join(', '),
    'x-real-ip': address,
    ...(trust.header && { [trust.header.toLowerCase()]: address }),
    'x-request-id': requestId,
  };
}
