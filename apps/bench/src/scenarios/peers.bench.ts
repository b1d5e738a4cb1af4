import { short } from '../output/table.js';
import { installPeers } from '../peers/install-peers.js';
import { peersDatabase } from '../peers/peers-database.js';
import { peerNames, peerPlan, PeerProcess, recordKeepers } from '../peers/peer-process.js';
import type { BenchRun, Scenario } from '../scenario.js';
import { bestCycle, embeddedCycle, peerCycles, recordKeeperCycles } from '../scale-targets.js';

/** Pending jobs when processing is measured; fixed, because a peer's rate may depend on the number. */
const backlog = 50_000;

export const peers: Scenario = {
  name: 'peers',
  what: 'graphile-worker, pg-boss and BullMQ on the same PostgreSQL and Redis: in-process, one tenant, no API; an operation is a job',
  onDemand: true,
  settings: ({ payloadBytes }) => ({ 'payload bytes': payloadBytes, ...peerPlan, backlog }),
  async run(bench) {
    const root = process.cwd();
    installPeers(root, bench.say);
    await using database = await peersDatabase(bench.stack.superuser, bench.stack.superuserUrl);
    for (const name of [...peerNames, ...recordKeepers]) {
      await using peer = await startPeer(bench, root, name, database.url);
      if (peerNames.some((one) => one === name)) await measurePeer(bench, peer);
      await measureLoad(bench, peer, { load: 'cycle', size: 0, name: 'cycle' });
    }
    for (const line of compareCycles(bench)) bench.say(line);
  },
};

function compareCycles({ steps }: BenchRun): string[] {
  const ours = [bestCycle(steps), embeddedCycle(steps)].flatMap((cycle) => cycle ?? []);
  if (ours.length === 0) return ['  our own cycle was not measured in this run: add cycle,embedded to --only'];
  // pg-boss is in both tables.
  const theirs = new Map([...peerCycles(steps), ...recordKeeperCycles(steps)].map(({ name, rate }) => [name, rate]));
  return ours.flatMap(({ name: scenario, rate: ourRate }) =>
    [...theirs].map(([name, rate]) => {
      const times = ourRate / rate;
      const verdict = times > 1 ? 'ahead' : 'behind';
      return `  whole cycle: ${scenario} ${short(ourRate)}/s, ${name} ${short(rate)}/s: ${verdict} (× ${times.toFixed(2)})`;
    }),
  );
}

const startPeer = ({ stack, options }: BenchRun, root: string, peer: string, postgres: string): Promise<PeerProcess> =>
  PeerProcess.start(root, {
    peer,
    urls: { postgres, redis: stack.redisUrl },
    plan: { ...peerPlan, payloadBytes: options.payloadBytes },
  });

async function measurePeer(bench: BenchRun, peer: PeerProcess): Promise<void> {
  for (const jobs of [peerPlan.batch, peerPlan.batch * 10]) {
    await measureLoad(bench, peer, { load: 'enqueue', size: jobs, name: `enqueue ${jobs} a call` });
    await peer.fresh();
  }
  await peer.fill(backlog);
  await measureLoad(bench, peer, { load: 'drain', size: backlog, name: 'process', warmup: 0 });
  await peer.fresh();
}

async function measureLoad(
  bench: BenchRun,
  peer: PeerProcess,
  { load, size, name, warmup }: { load: 'enqueue' | 'drain' | 'cycle'; size: number; name: string; warmup?: number },
): Promise<void> {
  const { name: label, version, settings } = peer.about;
  await bench.measure({ name: `${label} ${name}`, settings: { version, ...settings }, warmup }, (window) =>
    peer.measure(load, size, window),
  );
}
