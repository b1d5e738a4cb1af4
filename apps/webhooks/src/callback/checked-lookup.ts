import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { promisify } from 'node:util';
import type { LookupFunction } from 'node:net';
import { isPublicAddress, type CallbackPolicy } from '@spooled/domain';
import { within } from '@spooled/platform';
import { CallbackError } from './callback-error.js';

export type Resolve = (hostname: string, options: LookupOptions) => Promise<LookupAddress[]>;

const dnsTimeoutMs = 5_000;
/** Three queries of one name server take less than `dnsTimeoutMs`, so that a lost packet or a family without an answer fails no look-up. */
const queries = { timeout: 1_000, maxTimeout: 1_500, tries: 3 };

const systemResolve = promisify(systemLookup) as (host: string, options: LookupOptions) => Promise<LookupAddress[]>;

/**
 * Asks name servers from sockets. `getaddrinfo` of the system holds one of few threads of the process until the last name server answers:
 * names of one tenant that get no answer would stop the look-ups of all others, and those of PostgreSQL and Redis.
 * @param servers default: those of the system
 */
function serverResolve(servers?: readonly string[]): Resolve {
  const resolver = new Resolver(queries);
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason;
    return addresses;
  };
}

/** Outside production callbacks may reach this machine and its neighbours, whose names only the system knows. */
export const resolveFor = ({ production }: CallbackPolicy, servers?: readonly string[]): Resolve =>
  production ? serverResolve(servers) : systemResolve;

/**
 * Name lookup for sockets that rejects a name if any of its addresses is not allowed (SP-57). The socket connects to
 * the checked addresses, so the name server cannot return a different one in between.
 */
export function checkedLookup(policy: CallbackPolicy, resolve: Resolve): LookupFunction {
  const addressesOf = async (hostname: string, options: LookupOptions): Promise<LookupAddress[]> => {
    const addresses = await within(dnsTimeoutMs, () => resolve(hostname, { ...options, all: true }));
    if (addresses.length > 0 && addresses.every(({ address }) => isPublicAddress(address, policy))) return addresses;
    // The address is not included: it would reveal internal names to a tenant.
    throw new CallbackError(`${hostname} does not resolve to a public address`);
  };
  return (hostname, options, callback) => {
    addressesOf(hostname, options).then(
      (addresses) => {
        if (options.all) callback(null, addresses);
        else callback(null, addresses[0]!.address, addresses[0]!.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}
