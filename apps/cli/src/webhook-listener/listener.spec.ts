import { request } from 'node:http';
import { listen, type ReceivedCall } from './listener.js';

/** Posts a body on a connection of its own. @returns the status */
const post = (url: string, body: Buffer): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    sent.on('error', reject);
    sent.end(body);
  });

describe('BX-17 a receiver whose reader is slow', () => {
  it('keeps a bounded number of bytes, and receives again when they are read', async () => {
    let read: () => void = () => undefined;
    const isRead = new Promise<void>((resolve) => (read = resolve));
    const calls: ReceivedCall[] = [];
    const { url, stop } = await listen({ host: '127.0.0.1', port: 0, status: 200 }, async (call) => {
      await isRead;
      calls.push(call);
    });
    const body = Buffer.alloc(9_000_000, 0xff);
    const statuses: number[] = [];
    for (let i = 0; i < 8; i++) statuses.push(await post(url, body));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 503, 503, 503]);
    read();
    // Calls are shown in order: after this one all before it are.
    expect(await post(url, Buffer.from('a'))).toBe(200);
    expect(await post(url, Buffer.alloc(10_000_001))).toBe(413);
    await stop();
    expect(calls.map(({ body: { length } }) => length)).toEqual([...Array.from({ length: 5 }, () => 9_000_000), 1]);
  });
});
