import { randomInt } from 'node:crypto';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';

/**
 * What an operations port responds, from another loopback address each time: one address may scrape it 60 times a minute, which a test
 * that waits for a figure exceeds within two seconds. Outside of Linux there is only one such address.
 *
 * @throws Error with the status when it is not 200
 */
export function scrape(url: string): Promise<string> {
  const octets = Array.from({ length: 3 }, () => randomInt(1, 255));
  const localAddress = process.platform === 'linux' ? ['127', ...octets].join('.') : undefined;
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, localAddress }, (response) => {
      const { statusCode } = response;
      text(response).then(
        (body) => (statusCode === 200 ? resolve(body) : reject(new Error(`${url} responded ${statusCode}: ${body}`))),
        reject,
      );
    });
    request.once('error', reject);
  });
}
