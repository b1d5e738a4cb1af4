import ipaddr from 'ipaddr.js';

export interface ProxyTrust {
  /** A header that the operator's own proxy always sets; if named, no other header counts. */
  header?: string;
  /** How many proxies of the operator are in front of this process; 0 = none, so forwarded addresses are not believed. */
  hops: number;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The items of a list header, from every line of it that was sent. */
const itemsOf = (value: string | string[] | undefined): string[] =>
  value === undefined ? [] : [value].flat().join(',').split(',');

const portSuffix = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/** A normalized address without a port, or undefined if the text is not an address. */
function addressIn(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  const [, bracketed, dotted] = portSuffix.exec(trimmed) ?? [];
  const bare = bracketed ?? dotted ?? trimmed;
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : undefined;
}

/** Proxies append, so only the last items come from the operator's own. */
const fromRight = (items: string[], position: number): string | undefined => addressIn(items[items.length - position]);

/**
 * The address that anonymous limits count. Nothing that a caller can write counts: without a named header only
 * X-Forwarded-For does, and of it only what the operator's own proxies appended.
 */
export function clientAddress(headers: Headers, socketAddress: string, { header, hops }: ProxyTrust): string {
  const forwarded = header
    ? fromRight(itemsOf(headers[header.toLowerCase()]), 1)
    : hops > 0
      ? fromRight(itemsOf(headers['x-forwarded-for']), hops)
      : undefined;
  return forwarded ?? addressIn(socketAddress) ?? socketAddress;
}

/** The part of X-Forwarded-For that the operator's proxies wrote, without what the caller put in front of it. */
export const trustedChain = (headers: Headers, hops: number): string[] =>
  hops === 0
    ? []
    : itemsOf(headers['x-forwarded-for'])
        .slice(-hops)
        .map((item) => item.trim());

const ipv6PrefixParts = 4;

/** The block that one caller controls: an IPv4 address, or an IPv6 /64. */
export function addressBlock(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, ipv6PrefixParts);
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`;
}
