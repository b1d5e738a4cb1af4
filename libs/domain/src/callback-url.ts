import ipaddr from 'ipaddr.js';

/** Where callbacks may go: outside production a receiver on the developer's own machine is fine. */
export interface CallbackPolicy {
  production: boolean;
}

const longestUrl = 2048;
const internalSuffixes = ['.internal', '.local', '.localhost', '.localdomain', '.svc', '.cluster.local'];
const globalUnicastV6 = ipaddr.parseCIDR('2000::/3');
/** Answers inside Azure's network like a private address, although its range is public. */
const azureHost = '168.63.129.16';
const reachableInDevelopment = new Set(['loopback', 'private', 'carrierGradeNat', 'uniqueLocal']);

function isGlobal(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast' || address.toString() === azureHost) return false;
  // Beyond 2000::/3 lie ranges that the library calls unicast and that lead inside, such as ::7f00:1 and fec0::/10.
  return address.kind() === 'ipv4' || address.match(globalUnicastV6);
}

/**
 * Whether a callback may connect to this address (SP-57). Everything that is not plain public unicast is refused; outside
 * production private and loopback addresses pass too, but never link-local ones, where cloud metadata lives.
 */
export function isPublicAddress(ip: string, { production }: CallbackPolicy): boolean {
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.parse(ip);
  return isGlobal(address) || (!production && reachableInDevelopment.has(address.range()));
}

function refusedHost(host: string, policy: CallbackPolicy): boolean {
  if (ipaddr.isValid(host)) return !isPublicAddress(host, policy);
  if (!policy.production) return false;
  // A name without a dot is a neighbour in the cluster: postgres, redis, kubernetes, metadata, localhost.
  return !host.includes('.') || internalSuffixes.some((suffix) => host.endsWith(suffix));
}

const isOwnMachine = (host: string): boolean =>
  host === 'localhost' || (ipaddr.isValid(host) && ipaddr.parse(host).range() === 'loopback');

/** The host of a URL as it will be looked up: no brackets, no trailing dot; numbers like 0x7f.1 are already spelled out. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/**
 * Why callers may not register or be sent to this URL, or null when they may (SP-57). The text contains
 * `Invalid webhook URL` or `HTTP not allowed`, which SDK scripts look for. Names are resolved and checked again at connect.
 */
export function checkCallbackUrl(text: string, policy: CallbackPolicy): string | null {
  if (text.length > longestUrl) return `Invalid webhook URL: longer than ${longestUrl} characters`;
  if (!URL.canParse(text)) return 'Invalid webhook URL: not an absolute URL';
  const url = new URL(text);
  const host = hostOf(url);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'Invalid webhook URL: must be https';
  if (url.username || url.password) return 'Invalid webhook URL: must not contain a user name or password';
  if (url.protocol === 'http:' && (policy.production || !isOwnMachine(host))) {
    return `HTTP not allowed${policy.production ? ' in production' : ' except for localhost'}: use HTTPS`;
  }
  if (refusedHost(host, policy)) return 'Invalid webhook URL: private and internal hosts are not allowed';
  return null;
}
