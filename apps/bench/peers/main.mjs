import { once } from 'node:events';
import { loads, runLoad } from './loads.mjs';
import { peers } from './peers.mjs';

// Runs one peer in its own process, controlled by messages of its parent (`PeerProcess`).
// Receives {do: 'open', peer, urls, plan} first (URLs contain passwords, so they are not passed on the command line),
//          {do: 'enqueue' | 'fill' | 'drain' | 'cycle', size}, {do: 'stop'} to end one of these, {do: 'fresh'} to empty the tables.
// Sends    {event: 'about', name, version, settings}, {event: 'jobs', count} while a load runs, {event: 'idle', cpuSeconds} after each
//          command, {event: 'failed', message}. The process exits when the channel closes.
const send = (message) => process.send(message);

/** The open peer; `open` reopens it. */
let session = { peer: null, open: null, plan: null };
let stop = new AbortController();

const commands = {
  async open({ peer: name, urls, plan }) {
    const load = peers[name];
    if (!load) throw new Error(`unknown peer "${name}": one of ${Object.keys(peers).join(', ')}`);
    const { describe, open } = await load();
    send({ event: 'about', ...describe() });
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
  const report = (count) => send({ event: 'jobs', count });
  await runLoad(load, session.peer, session.plan, report, stop.signal, size);
}

async function execute(request) {
  const command = commands[request.do];
  if (!command) throw new Error(`unknown command "${request.do}"`);
  const before = process.cpuUsage();
  await command(request);
  const { user, system } = process.cpuUsage(before);
  send({ event: 'idle', cpuSeconds: (user + system) / 1e6 });
}

function fail(error) {
  process.exitCode = 1;
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.send({ event: 'failed', message }, () => process.disconnect());
}

let last = Promise.resolve();
process.on('message', (request) => {
  if (request.do === 'stop') stop.abort();
  else last = last.then(() => execute(request)).catch(fail);
});
await once(process, 'disconnect');
stop.abort();
await last;
await session.peer?.close();
