import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsageError } from '../errors.js';

export interface Address {
  host: string;
  /** 0 takes a free one. */
  port: number;
}

/**
 * An HTTP server of a command.
 * @returns its URL without a path, and how to stop it, which ends all connections
 * @throws UsageError when the address cannot be used
 */
export async function serveHttp(
  { host, port }: Address,
  listener: RequestListener,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`Port ${port} of ${host} cannot be used (${error.code}): name another --port`);
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${name}:${address.port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
