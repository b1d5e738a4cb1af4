import { clientAddress, trustedChain, type ProxyTrust } from '@spooled/domain';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface Forwarded {
  headers: Headers;
  remoteAddress: string;
  requestId: string;
}

/**
 * What a service behind the gateway is told about the caller. All of it is written here or by the operator's proxies: what the
 * caller itself claimed about its address is dropped, so the service finds it at the same place as behind an ingress.
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
