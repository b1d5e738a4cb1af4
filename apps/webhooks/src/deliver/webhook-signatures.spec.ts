import { randomBytes } from 'node:crypto';
import type { Receiver } from '@spooled/testing';
import { HTTP } from 'cloudevents';
import { Webhook } from 'standardwebhooks';
import { signatureOf } from '../callback/signature.js';
import { useDeliverer } from './deliverer.fixture.js';
import type { Tenant } from './tenant.fixture.js';

const fixture = useDeliverer();
const { deliverer } = fixture;
let receiver: Receiver;
let tenant: Tenant;
beforeEach(() => {
  ({ receiver, tenant } = fixture);
});

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const rotated = (secret: string, previous: string, validSeconds: number) =>
  tenant.query(
    `UPDATE outgoing_webhooks
     SET secret = $1, previous_secret = $2, previous_secret_until = current_ts() + make_interval(secs => $3)`,
    [secret, previous, validSeconds],
  );

/** Sends one delivery of a webhook. @returns what the receiver got */
async function sent(webhookId: string) {
  const delivery = await tenant.delivery({ webhookId });
  await deliverer().deliver(delivery);
  const { headers, body } = receiver.calls.at(-1)!;
  return { id: delivery.id, headers: headers as Record<string, string>, body };
}

describe('BX-37 a rotation of the secret', () => {
  it('keeps the signature by the previous secret, and has that by the new one in a header of its own', async () => {
    const webhookId = await tenant.webhook(receiver.url(), { secret: 'old' });
    await rotated('new', 'old', 60);
    const { headers, body } = await sent(webhookId);
    const timestamp = Number(headers['x-spooled-timestamp']);
    expect(headers['x-spooled-signature']).toBe(signatureOf('old', timestamp, body));
    expect(headers['x-spooled-signature-next']).toBe(signatureOf('new', timestamp, body));
  });

  it('ends at its time: the new secret alone signs, in the published header', async () => {
    const webhookId = await tenant.webhook(receiver.url(), { secret: 'old' });
    await rotated('new', 'old', 0);
    const { headers, body } = await sent(webhookId);
    expect(headers['x-spooled-signature']).toBe(signatureOf('new', Number(headers['x-spooled-timestamp']), body));
    expect(headers).not.toHaveProperty('x-spooled-signature-next');
  });
});

describe('BX-37 the format standard', () => {
  const standard = async (secret: string) => {
    const webhookId = await tenant.webhook(receiver.url(), { secret });
    await tenant.query(`UPDATE outgoing_webhooks SET format = 'standard'`);
    return webhookId;
  };

  it('is verified by the official library, and keeps numbers as they are stored', async () => {
    const secret = newSecret();
    const { id, headers, body } = await sent(await standard(secret));
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({
      type: 'job.completed',
      timestamp: expect.any(String),
      data: { job_id: 'j1' },
    });
    expect(Object.keys(JSON.parse(body) as object)).toEqual(['type', 'timestamp', 'data']);
    expect(body).toContain('"result":12345678901234567890');
    expect(headers).toMatchObject({ 'webhook-id': id, 'x-spooled-event': 'job.completed' });
    expect(headers).not.toHaveProperty('x-spooled-signature');
    expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow('No matching signature');
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching signature');
  });

  it('has the same id at each attempt, and another signature', async () => {
    const webhookId = await standard(newSecret());
    receiver.respond = (_call, response) => response.writeHead(receiver.calls.length < 2 ? 503 : 200).end();
    const delivery = await tenant.delivery({ webhookId });
    for (let again: number | null = 0; again !== null;) again = await deliverer().deliver(delivery);
    expect(receiver.calls.map(({ headers }) => headers['webhook-id'])).toEqual([delivery.id, delivery.id]);
  });

  it('is verified with either secret during a rotation, the new one first', async () => {
    const [old, next] = [newSecret(), newSecret()];
    const webhookId = await standard(old);
    await rotated(next, old, 60);
    const { headers, body } = await sent(webhookId);
    expect(headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
    for (const secret of [old, next]) expect(new Webhook(secret).verify(body, headers)).toBeTruthy();
    const [first] = headers['webhook-signature']!.split(' ');
    expect(new Webhook(next).verify(body, { ...headers, 'webhook-signature': first! })).toBeTruthy();
  });

  it('does not sign with a previous secret of another format', async () => {
    const secret = newSecret();
    const webhookId = await standard(secret);
    await rotated(secret, 'of the format json', 60);
    const { headers } = await sent(webhookId);
    expect(headers['webhook-signature']).toMatch(/^v1,\S{44}$/);
  });
});

describe('BX-37 the format cloudevents', () => {
  it('is read by the official library, and signed as the envelope is', async () => {
    const webhookId = await tenant.webhook(receiver.url(), { secret: 'shh' });
    await tenant.query(`UPDATE outgoing_webhooks SET format = 'cloudevents'`);
    const { id, headers, body } = await sent(webhookId);
    expect(headers['content-type']).toBe('application/cloudevents+json');
    expect(HTTP.toEvent({ headers, body })).toMatchObject({
      specversion: '1.0',
      id,
      source: `/organizations/${tenant.organizationId}`,
      type: 'job.completed',
      datacontenttype: 'application/json',
      data: { job_id: 'j1' },
    });
    expect(body).toContain('"result":12345678901234567890');
    expect(headers['x-spooled-signature']).toBe(signatureOf('shh', Number(headers['x-spooled-timestamp']), body));
  });
});
