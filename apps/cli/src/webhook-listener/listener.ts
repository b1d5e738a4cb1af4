import type { IncomingHttpHeaders } from 'node:http';
import { type Address, serveHttp } from '../io/http-server.js';

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
 * @throws UsageError when the address cannot be used
 */
export async function listen(
  { status, ...address }: Address & { status: number },
  received: (call: ReceivedCall) => Promise<void>,
): Promise<{ url: string; stop: () => Promise<void> }> {
  let last = Promise.resolve();
  const { url, stop } = await serveHttp(address, (request, response) => {
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
  return {
    url,
    stop: async () => {
      await stop();
      await last;
    },
  };
}
