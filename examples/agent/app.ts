import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { connect } from 'spooled-embedded';
import { agent, words } from './jobs.ts';

// POST /runs {"question": "tea"} answers with server-sent events: the words as they come, then the answer. The run goes on when the
// caller hangs up. This process alone runs the jobs: where several do, send the words from one to the other.

const app = await connect(process.env.SPOOLED_URL!);
await app.work([agent]);
const watchers = new Map<string, Set<ServerResponse>>();
const send = (response: ServerResponse, event: string, data: unknown) =>
  response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
const finish = (id: string, event: string, data: unknown) => {
  for (const response of watchers.get(id) ?? []) {
    send(response, event, data);
    response.end();
  }
};
app.on('completed', ({ id }, result) => finish(id, 'answer', result));
app.on('failed', ({ id }, error, willRetry) => willRetry || finish(id, 'failed', String(error)));
app.on('cancelled', ({ id }) => finish(id, 'cancelled', null));

async function run(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { question } = (await json(request)) as { question: string };
  const { id } = await agent.enqueue({ question });
  const hear = (word: string) => send(response, 'word', word);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send(response, 'run', { id });
  watchers.set(id, (watchers.get(id) ?? new Set()).add(response));
  words.on(id, hear);
  response.once('close', () => {
    words.off(id, hear);
    watchers.get(id)?.delete(response);
    if (watchers.get(id)?.size === 0) watchers.delete(id);
  });
}

const server = createServer((request, response) => {
  if (request.method !== 'POST' || request.url !== '/runs') return void response.writeHead(404).end();
  run(request, response).catch((error: unknown) => response.writeHead(400).end(String(error)));
}).listen(Number(process.env.PORT ?? 3000), () => console.log(`port ${(server.address() as AddressInfo).port}`));
