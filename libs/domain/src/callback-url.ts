import ipaddr from 'ipaddr.js';

/** Which callback targets are allowed: outside production, localhost is too. */
export interface CallbackPolicy {
  production: boolean;
  /** Hosts that may be called by plain HTTP outside production, in lower case. */
  httpHosts?: readonly string[];
}

const longestUrl = 2048;
const internalSuffixes = ['.internal', '.local', '.localhost', '.localdomain', '.svc', '.cluster.local'];
const reachableInDevelopment = new Set(['loopback', 'private', 'carrierGradeNat', 'uniqueLocal']);

/**
 * Addresses that callbacks may connect to in production: public unicast only. In the form of a
 * Kubernetes network policy, because `webhooks-reach-the-internet` must name the same ones.
 */
export const publicNetworks = [
  {
    cidr: '0.0.0.0/0',
    except: [
      '0.0.0.0/8', // this network
      '10.0.0.0/8', // private
      '100.64.0.0/10', // carrier-grade NAT
      '127.0.0.0/8', // loopback
      '168.63.129.16/32', // answers inside Azure's network, although its range is public
      '169.254.0.0/16', // link-local, cloud metadata
      '172.16.0.0/12', // private
      '192.0.0.0/24', // IETF protocols
      '192.0.2.0/24', // documentation
      '192.31.196.0/24', // AS112
      '192.52.193.0/24', // AMT
      '192.88.99.0/24', // 6to4 relays
      '192.168.0.0/16', // private
      '192.175.48.0/24', // AS112
      '198.18.0.0/15', // benchmarks
      '198.51.100.0/24', // documentation
      '203.0.113.0/24', // documentation
      '224.0.0.0/3', // multicast, reserved, broadcast
    ],
  },
  {
    // Beyond it lie loopback, private, link-local and IPv4-mapped addresses, and IPv4 inside of IPv6 such as ::7f00:1.
    cidr: '2000::/3',
    except: [
      '2001::/23', // IETF protocols: Teredo, benchmarks, ORCHID
      '2001:db8::/32', // documentation
      '2002::/16', // 6to4
      '2620:4f:8000::/48', // AS112
      '3fff::/20', // documentation
    ],
  },
];

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];
const ranges = publicNetworks.map(({ cidr, except }) => ({
  network: ipaddr.parseCIDR(cidr) as Range,
  except: except.map((range) => ipaddr.parseCIDR(range) as Range),
}));

const lies = (address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Range): boolean =>
  address.kind() === network.kind() && address.match(network, bits);

const isGlobal = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  ranges.some(({ network, except }) => lies(address, network) && !except.some((range) => lies(address, range)));

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

const allowsHttp = (host: string, { production, httpHosts = [] }: CallbackPolicy): boolean =>
  !production && (isOwnMachine(host) || httpHosts.includes(host));

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
  if (url.protocol === 'http:' && !allowsHttp(host, policy)) {
    return `HTTP not allowed${policy.production ? ' in production' : ' except for localhost and CALLBACK_HTTP_HOSTS'}: use HTTPS`;
  }
  if (refusedHost(host, policy)) return 'Invalid webhook URL: private and internal hosts are not allowed';
  return null;
}
