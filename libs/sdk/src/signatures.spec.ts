import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { verifyWebhook } from './signatures.js';

describe('the signature of a received webhook', () => {
  const body = '{"event":"job.completed"}';
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = `sha256=${createHmac('sha256', 's').update(`${timestamp}.${body}`).digest('hex')}`;

  it('is valid only for this body, secret and time', () => {
    const received = { body, signature, timestamp, secret: 's' };
    expect(verifyWebhook(received)).toBe(true);
    for (const wrong of [{ body: `${body} ` }, { secret: 'x' }, { timestamp: '1' }, { signature: null }]) {
      expect(verifyWebhook({ ...received, ...wrong })).toBe(false);
    }
    expect(verifyWebhook({ ...received, toleranceSeconds: -1 })).toBe(false);
  });

  it('is taken from the headers of Node.js as they are, of which several count as none', () => {
    const headers: IncomingHttpHeaders = { 'x-spooled-signature': signature, 'x-spooled-timestamp': timestamp };
    const received = {
      ...{ body, secret: 's' },
      ...{ signature: headers['x-spooled-signature'], timestamp: headers['x-spooled-timestamp'] },
    };
    expect(verifyWebhook(received)).toBe(true);
    expect(verifyWebhook({ ...received, timestamp: [timestamp] })).toBe(false);
    expect(verifyWebhook({ ...received, signature: [signature] })).toBe(false);
  });

  it('BX-37 is valid in either header while the secret changes', () => {
    const other = `sha256=${'0'.repeat(64)}`;
    expect(verifyWebhook({ body, signature: other, nextSignature: signature, timestamp, secret: 's' })).toBe(true);
    expect(verifyWebhook({ body, signature, nextSignature: other, timestamp, secret: 's' })).toBe(true);
    expect(verifyWebhook({ body, signature: other, nextSignature: other, timestamp, secret: 's' })).toBe(false);
    expect(verifyWebhook({ body, signature: other, timestamp, secret: 's' })).toBe(false);
  });
});
