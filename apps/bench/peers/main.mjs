import { createInterface } from 'node:readline';
import { loads, runLoad } from './loads.mjs';
import { peers } from './peers.mjs';

// One peer in a process of its own, with packages of its own. Speaks JSON lines.
// In:  {do: 'open', peer, urls, plan} first (addresses hold passwords, so they come here and not on the command line),
//      {do: 'enqueue' | 'fill' | 'drain' | 'cycle', size}, {do: 'stop'} to end one of these, {do: 'fresh'} for empty tables.
// Out: {event: 'about', name, version, settings}, {event: 'jobs', count} while a load runs, {event: 'idle', cpuSeconds} after each
//      command, {event: 'failed', message}. The end of the input ends the process.
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

/** The peer that was opened; `open` opens it anew. */
let session = { peer: null, open: null, plan: null };
let stop = new AbortController();

const commands = {
  async open({ peer: name, urls, plan }) {
    const load = peers[name];
    if (!load) throw new Error(`unknown peer "${name}": one of ${Object.keys(peers).join(', ')}`);
    const { describe, open } = await load();
    say({ event: 'about', ...describe() });
    session = { peer: await open(urls), open: () => open(urls), plan };
  },
  async fresh() {
    await session.peer.close();
    session.peer = await session.open();
  },
  ...Object.fromEntries(Object.entries(loads).map(([name, load]) => [name, ({ size }) => runOne(load, size)])),
};

async function runOne(load, size) {
  stop = new AbortController();
  const tell = (count) => say({ event: 'jobs', count });
  await runLoad(load, session.peer, session.plan, tell, stop.signal, size);
}

async function obey(request) {
  const command = commands[request.do];
  if (!command) throw new Error(`unknown command "${request.do}"`);
  const before = process.cpuUsage();
  await command(request);
  const { user, system } = process.cpuUsage(before);
  say({ event: 'idle', cpuSeconds: (user + system) / 1e6 });
}

function fail(error) {
  say({ event: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  process.exitCode = 1;
  process.stdin.destroy();
}

let last = Promise.resolve();
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  if (request.do === 'stop') stop.abort();
  else last = last.then(() => obey(request)).catch(fail);
}
stop.abort();
await last;
await session.peer?.close();
