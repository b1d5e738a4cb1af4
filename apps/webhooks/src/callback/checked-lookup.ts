import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { promisify } from 'node:util';
import type { LookupFunction } from 'node:net';
import { isPublicAddress, type CallbackPolicy } from '@spooled/domain';
import { within } from '@spooled/platform';
import { CallbackError } from './callback-error.js';

export type Resolve = (hostname: string, options: LookupOptions) => Promise<LookupAddress[]>;

const dnsLimitMs = 5_000;
const askSystem = promisify(systemLookup) as (host: string, options: LookupOptions) => Promise<LookupAddress[]>;

/**
 * A name lookup for sockets that refuses a name as soon as one of its addresses is not allowed (SP-57). The socket connects
 * to the very addresses that were checked here, so a second, different answer of the name server is never asked for.
 */
export function checkedLookup(policy: CallbackPolicy, resolve: Resolve = askSystem): LookupFunction {
  const addressesOf = async (hostname: string, options: LookupOptions): Promise<LookupAddress[]> => {
    const addresses = await within(dnsLimitMs, () => resolve(hostname, { ...options, all: true }));
    if (addresses.length > 0 && addresses.every(({ address }) => isPublicAddress(address, policy))) return addresses;
    // Which address it was stays out of the text: it would tell a tenant about names inside our network.
    throw new CallbackError(`${hostname} does not lead to a public address`);
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
