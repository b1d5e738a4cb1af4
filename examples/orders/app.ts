import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { connect } from 'spooled-embedded';
import { Outbox } from 'spooled-sdk/outbox';
import { confirm } from './jobs.ts';
import { createOrder, table } from './route.ts';

// POST /api/orders {"item": "tea", "email": "ada@example.com"} answers with the number of the order.
// In the process the jobs are in the database of the orders. At the services DATABASE_URL names it, and an outbox sends the jobs.

const { SPOOLED_URL, DATABASE_URL = SPOOLED_URL } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL });
await pool.query(table);
const outbox = new Outbox(pool);
await outbox.migrate();
const app = await connect(SPOOLED_URL!, { outbox });
await app.work([confirm]);

const POST = createOrder(pool);

async function answer(incoming: IncomingMessage): Promise<Response> {
  if (incoming.method !== 'POST' || incoming.url !== '/api/orders') return new Response(null, { status: 404 });
  return POST(new Request('http://localhost/api/orders', { method: 'POST', body: await text(incoming) }));
}

const server = createServer((incoming, outgoing) => {
  answer(incoming)
    .then(async (response) => outgoing.writeHead(response.status).end(await response.text()))
    .catch((error: unknown) => {
      console.error(error);
      outgoing.writeHead(500).end();
    });
}).listen(Number(process.env.PORT ?? 3000), () => console.log(`port ${(server.address() as AddressInfo).port}`));
