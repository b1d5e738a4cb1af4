import { createHmac } from 'node:crypto';
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

  it('BX-37 is valid in either header while the secret changes', () => {
    const other = `sha256=${'0'.repeat(64)}`;
    expect(verifyWebhook({ body, signature: other, nextSignature: signature, timestamp, secret: 's' })).toBe(true);
    expect(verifyWebhook({ body, signature, nextSignature: other, timestamp, secret: 's' })).toBe(true);
    expect(verifyWebhook({ body, signature: other, nextSignature: other, timestamp, secret: 's' })).toBe(false);
    expect(verifyWebhook({ body, signature: other, timestamp, secret: 's' })).toBe(false);
  });
});
