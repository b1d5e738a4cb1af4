import { createServer } from 'node:http';
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
const server = createServer(async (incoming, outgoing) => {
  if (incoming.method !== 'POST' || incoming.url !== '/api/orders') return void outgoing.writeHead(404).end();
  try {
    const body = await text(incoming);
    const response = await POST(new Request('http://localhost/api/orders', { method: 'POST', body }));
    outgoing.writeHead(response.status, { 'content-type': 'application/json' }).end(await response.text());
  } catch (error) {
    console.error(error);
    outgoing.writeHead(500).end();
  }
}).listen(Number(process.env.PORT ?? 3000), () => console.log(`port ${(server.address() as AddressInfo).port}`));
