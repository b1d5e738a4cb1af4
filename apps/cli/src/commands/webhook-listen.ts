import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { verifyWebhook } from '@spooled/sdk';
import type { Command } from 'commander';
import { printable } from '../io/printable.js';
import { cell } from '../io/table.js';
import type { Add, Cli } from '../session/cli.js';
import { listen, type ReceivedCall } from '../webhook-listener/listener.js';
import { integer } from './options.js';

/** `spooled webhooks listen`: a receiver for development, which shows what arrives. */
export function addListen(webhooks: Command, add: Add): void {
  add(webhooks, 'listen', 'receive webhooks on this machine and print headers and raw bodies until Ctrl-C', listenFor)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on; 0 takes a free one', integer(0, 65_535), 4_000)
    .option('--status <code>', 'status of each answer', integer(200, 599), 200)
    .addHelpText(
      'after',
      '\nVerifies signatures with the secret in SPOOLED_WEBHOOK_SECRET. The server must be able to reach this machine.',
    );
}

async function listenFor(
  { io, out, call }: Cli,
  options: { host: string; port: number; status: number },
): Promise<void> {
  const secret = io.env.SPOOLED_WEBHOOK_SECRET;
  const print = async (received: ReceivedCall) => {
    const signature = secret ? verdict(received, secret) : undefined;
    const { method, path, headers, receivedAt } = received;
    // Text would not be what was sent: other bytes are replaced in it.
    const isText = isUtf8(received.body);
    const body = received.body.toString(isText ? 'utf8' : 'base64');
    const bodyEncoding = isText ? 'utf8' : 'base64';
    if (out.format !== 'table')
      return out.event({ method, path, extra: headers, body, bodyEncoding, signature, receivedAt }, '');
    await out.line(
      `${cell(receivedAt.toISOString())}  ${method} ${printable(path)}${signature ? `  ${signature}` : ''}`,
    );
    for (const [name, value] of Object.entries(headers)) await out.line(`  ${name}: ${printable(String(value))}`);
    await out.line(isText ? printable(body) : `(base64) ${body}`);
  };
  const { url, stop } = await listen(options, print);
  out.note(`Listening on ${url}. Ctrl-C ends it.`);
  try {
    if (!call.signal!.aborted) await once(call.signal!, 'abort');
  } finally {
    await stop();
  }
  call.signal!.throwIfAborted();
}

/** What the signature of Spooled says about a call. */
function verdict({ headers, body }: ReceivedCall, secret: string): string {
  const { 'x-spooled-signature': signature, 'x-spooled-timestamp': timestamp } = headers;
  if (signature === undefined) return 'no signature';
  const isValid = verifyWebhook({ body: body.toString('utf8'), signature, timestamp, secret });
  return isValid ? 'signature valid' : 'signature NOT valid';
}
