import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { standardHeaders } from 'spooled-sdk';
import { received } from './jobs.ts';

const toleranceSeconds = 300;

/** The server that receives webhooks. It answers when the job exists: a provider that gets no answer sends the event again. */
export const createReceiver = (): Server =>
  createServer((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(503).end(),
    );
  });

async function receive(request: IncomingMessage): Promise<number> {
  const body = await text(request);
  const id = String(request.headers['webhook-id']);
  if (!isSigned(body, id, request)) return 401;
  // The id of the event is the key of its job, so that a repeated delivery does nothing.
  await received.enqueue({ id, event: JSON.parse(body) }, { key: `received:${id}` });
  return 202;
}

function isSigned(body: string, id: string, { headers }: IncomingMessage): boolean {
  const timestamp = Number(headers['webhook-timestamp']);
  if (!(Math.abs(Date.now() / 1000 - timestamp) <= toleranceSeconds)) return false;
  const expected = Buffer.from(standardHeaders(body, process.env.PROVIDER_SECRET!, id, timestamp)['webhook-signature']);
  const signatures = String(headers['webhook-signature'])
    .split(' ')
    .map((one) => Buffer.from(one));
  return signatures.some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}
