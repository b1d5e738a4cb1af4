import { createInterface } from 'node:readline';
import { measureCycle, measureEnqueue, measureProcessing } from './measure.mjs';
import { peers } from './peers.mjs';

// Runs one peer in this process. In: one JSON line on the standard input {peer, urls, plan}, so that addresses with their
// passwords stand in no process list. Out: JSON lines {event: 'peer' | 'figure' | 'failed' | 'done', …}.
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function readRequest() {
  for await (const line of createInterface({ input: process.stdin })) return JSON.parse(line);
  throw new Error('no request on the standard input');
}

/** Opens the peer with nothing of an earlier time in it, measures, and closes it. */
async function onFreshPeer(open, { urls, plan }, measure) {
  const peer = await open(urls);
  await measure(peer, plan, (figure) => say({ event: 'figure', ...figure }));
  await peer.close();
}

try {
  const request = await readRequest();
  const load = peers[request.peer];
  if (!load) throw new Error(`unknown peer "${request.peer}": one of ${Object.keys(peers).join(', ')}`);
  const { open, describe } = await load();
  say({ event: 'peer', ...describe() });
  for (const measure of [measureEnqueue, measureProcessing, measureCycle]) await onFreshPeer(open, request, measure);
  say({ event: 'done' });
} catch (error) {
  say({ event: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  process.exitCode = 1;
}
process.stdin.destroy();
