import type { Receiver } from '@spooled/testing';
import type { RestCaller } from './rest-caller.js';

/** Registers an outgoing webhook at the receiver; returns its id. */
export async function registerWebhook(
  rest: RestCaller,
  receiver: Receiver,
  events: string[],
  more: object = {},
): Promise<string> {
  const created = await rest.post('/outgoing-webhooks', { name: 'hook', url: receiver.url(), events, ...more });
  expect(created).toMatchObject({ status: 201 });
  return created.body.id;
}
