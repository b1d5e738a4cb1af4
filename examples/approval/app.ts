import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { connect } from 'spooled-embedded';
import { SpooledError } from 'spooled-sdk';
import { z } from 'zod';
import { decision, payout } from './jobs.ts';

// POST /payouts {"account": "DE1", "amount": 5} answers with an id.
// POST /payouts/{id}/decision {"approved": true, "by": "Ada"} decides.

const app = await connect(process.env.SPOOLED_URL!);
await app.work([payout]);

async function answer(request: IncomingMessage): Promise<object> {
  const [, route, id, action] = request.url!.split('/');
  const body = await json(request);
  if (request.method === 'POST' && route === 'payouts' && id === undefined) return payout.enqueue(body as never);
  if (request.method === 'POST' && route === 'payouts' && action === 'decision')
    return payout.signal(id!, 'decision', decision.parse(body));
  throw new SpooledError('No such route', 404, 'NOT_FOUND');
}

const server = createServer((request, response) => {
  const send = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body));
  answer(request).then(
    (body) => send(200, body),
    (error: unknown) => {
      const status = error instanceof SpooledError ? error.status : error instanceof z.ZodError ? 400 : 500;
      send(status, { error: status === 500 ? 'Internal error' : String(error) });
    },
  );
}).listen(Number(process.env.PORT ?? 3000), () => console.log(`port ${(server.address() as AddressInfo).port}`));
