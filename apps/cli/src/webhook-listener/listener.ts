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
/** Bytes of all bodies in memory: calls may come faster than their reader takes them. */
const mostBytes = 50_000_000;

/**
 * Receives calls on this machine and answers each with `status`; 413 for a long body, 503 while too many wait to be shown.
 * @param received is called one call after the other
 * @returns the address, and how to stop
 * @throws UsageError when the address cannot be used
 */
export async function listen(
  { status, ...address }: Address & { status: number },
  received: (call: ReceivedCall) => Promise<void>,
): Promise<{ url: string; stop: () => Promise<void> }> {
  let last = Promise.resolve();
  let bytes = 0;
  const { url, stop } = await serveHttp(address, (request, response) => {
    let chunks: Buffer[] = [];
    let length = 0;
    let kept = 0;
    let refusal: 413 | 503 | undefined;
    const forget = () => {
      bytes -= kept;
      kept = 0;
      chunks = [];
    };
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > longestBody) refusal ??= 413;
      else if (bytes + chunk.length > mostBytes) refusal ??= 503;
      if (refusal !== undefined) return forget();
      chunks.push(chunk);
      kept += chunk.length;
      bytes += chunk.length;
    });
    request.on('error', forget);
    request.on('end', () => {
      if (refusal !== undefined) return void response.writeHead(refusal).end();
      const { method = '', url: path = '', headers } = request;
      const call = { method, path, headers, body: Buffer.concat(chunks), receivedAt: new Date() };
      chunks = [];
      last = last
        .then(() => received(call))
        .catch(() => undefined)
        .finally(forget);
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
