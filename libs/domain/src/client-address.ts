import ipaddr from 'ipaddr.js';

export interface ProxyTrust {
  /** A header that the operator's own proxy always sets; believed alone. Lower case. */
  header?: string;
  /** How many proxies of the operator's stand before this process; 0 = none, so forwarded addresses are made up. */
  hops: number;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const only = (value: string | string[] | undefined): string | undefined => {
  const text = Array.isArray(value) ? value[0] : value;
  return text?.trim() || undefined;
};

/** An address in one spelling, or undefined when the text is none: headers may hold anything. */
function addressIn(text: string | undefined): string | undefined {
  if (text === undefined || !ipaddr.isValid(text)) return undefined;
  return ipaddr.process(text).toString();
}

function forwarded(headers: Headers, hops: number): string | undefined {
  const named = addressIn(only(headers['cf-connecting-ip'])) ?? addressIn(only(headers['x-real-ip']));
  if (named) return named;
  const chain = [headers['x-forwarded-for']].flat().join(',').split(',');
  return addressIn(chain[chain.length - hops]?.trim());
}

/**
 * The address that anonymous limits count. What a caller can write himself is never believed: forwarding headers
 * count only when the operator says that a proxy of his sets them.
 */
export function clientAddress(headers: Headers, socketAddress: string, { header, hops }: ProxyTrust): string {
  const told = header
    ? addressIn(only(headers[header.toLowerCase()]))
    : hops > 0
      ? forwarded(headers, hops)
      : undefined;
  return told ?? addressIn(socketAddress) ?? socketAddress;
}
