import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { promisify } from 'node:util';
import type { LookupFunction } from 'node:net';
import { isPublicAddress, type CallbackPolicy } from '@spooled/domain';
import { within } from '@spooled/platform';
import { CallbackError } from './callback-error.js';

export type Resolve = (hostname: string, options: LookupOptions) => Promise<LookupAddress[]>;

const dnsTimeoutMs = 5_000;
const systemResolve = promisify(systemLookup) as (host: string, options: LookupOptions) => Promise<LookupAddress[]>;

/**
 * Name lookup for sockets that rejects a name if any of its addresses is not allowed (SP-57). The socket connects to
 * the checked addresses, so the name server cannot return a different one in between.
 */
export function checkedLookup(policy: CallbackPolicy, resolve: Resolve = systemResolve): LookupFunction {
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
