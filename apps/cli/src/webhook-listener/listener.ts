import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedCall {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** As it was sent, so that its signature can be verified. */
  body: Buffer;
  receivedAt: Date;
}

/** Longest body that is kept, in bytes. */
const longestBody = 10_000_000;

/**
 * Receives calls on this machine and answers each with `status`.
 * @param received is called one call after the other
 * @returns the address, and how to stop
 * @throws Error when the port is in use
 */
export async function listen(
  { host, port, status }: { host: string; port: number; status: number },
  received: (call: ReceivedCall) => Promise<void>,
): Promise<{ url: string; stop: () => Promise<void> }> {
  let last = Promise.resolve();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= longestBody) chunks.push(chunk);
    });
    request.on('error', () => undefined);
    request.on('end', () => {
      if (length > longestBody) return void response.writeHead(413).end();
      const { method = '', url: path = '', headers } = request;
      const call = { method, path, headers, body: Buffer.concat(chunks), receivedAt: new Date() };
      last = last.then(() => received(call)).catch(() => undefined);
      response.writeHead(status, { 'content-type': 'text/plain' }).end('received\n');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${name}:${address.port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await last;
    },
  };
}
