import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { standardHeaders } from 'spooled-sdk';
import { testSpooled } from 'spooled-embedded/testing';
import { notify, received } from './jobs.ts';
import { createReceiver } from './receiver.ts';

const secrets = { PROVIDER_SECRET: `whsec_${btoa('provider')}`, PARTNER_SECRET: `whsec_${btoa('partner')}` };
const body = JSON.stringify({ type: 'order.paid', order: '7' });

async function listen(context: TestContext, server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  context.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function start(context: TestContext, partner: RequestListener) {
  const spooled = await testSpooled(process.env.TEST_DATABASE_URL!, { jobs: [received, notify] });
  context.after(() => spooled.stop());
  const PARTNER_URL = await listen(context, createServer(partner));
  Object.assign(process.env, secrets, { PARTNER_URL });
  const url = await listen(context, createReceiver());
  const send = async (headers = standardHeaders(body, secrets.PROVIDER_SECRET, 'event-1')) =>
    (await fetch(url, { method: 'POST', body, headers })).status;
  return { spooled, send };
}

test('handles an event once however often it is sent, and signs what it passes on', async (context) => {
  const calls: unknown[] = [];
  const { spooled, send } = await start(context, ({ headers }, response) => {
    calls.push(headers['webhook-id']);
    const signed = standardHeaders(body, secrets.PARTNER_SECRET, 'event-1', Number(headers['webhook-timestamp']));
    response.writeHead(headers['webhook-signature'] === signed['webhook-signature'] ? 200 : 401).end();
  });
  assert.deepEqual([await send(), await send()], [202, 202]);
  await spooled.drain();
  assert.equal(await send(), 202);
  await spooled.drain();
  await spooled.assertCompleted(received, { times: 1 });
  await spooled.assertCompleted(notify, { result: { status: 200 }, times: 1 });
  assert.deepEqual(calls, ['event-1']);
});

test('refuses what is not signed, or old', async (context) => {
  const { spooled, send } = await start(context, (_, response) => response.end());
  assert.equal(await send(standardHeaders(body, secrets.PARTNER_SECRET, 'event-1')), 401);
  assert.equal(await send(standardHeaders(body, secrets.PROVIDER_SECRET, 'event-1', 1)), 401);
  await spooled.assertEnqueued(received, { times: 0 });
});

test('tries a partner again that is away, and not one that is gone', async (context) => {
  const statuses = [503, 200, 410];
  const { spooled, send } = await start(context, (_, response) => response.writeHead(statuses.shift()!).end());
  await send();
  await spooled.drain();
  await spooled.assertFailed(notify, { times: 0 });
  await spooled.advance('1m');
  await spooled.drain();
  await spooled.assertCompleted(notify, { times: 1 });
  await send(standardHeaders(body, secrets.PROVIDER_SECRET, 'event-2'));
  await spooled.drain();
  await spooled.assertFailed(notify, { payload: { id: 'event-2' }, error: 'wants no further events' });
});
