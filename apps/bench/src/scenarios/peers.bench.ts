import { short } from '../output/table.js';
import { installPeers } from '../peers/install-peers.js';
import { peersDatabase } from '../peers/peers-database.js';
import { peerNames, PeerProcess, type PeerPlan } from '../peers/peer-process.js';
import type { BenchRun, Scenario } from '../scenario.js';
import { bestCycle, peerCycles } from '../scale-targets.js';

const plan = { batch: 100, producers: 4, ahead: 2_000 };
/** Pending jobs when processing is measured; fixed, because a peer's rate may depend on the number. */
const backlog = 50_000;

export const peers: Scenario = {
  name: 'peers',
  what: 'graphile-worker, pg-boss and BullMQ on the same PostgreSQL and Redis: in-process, one tenant, no API; an operation is a job',
  onDemand: true,
  settings: ({ payloadBytes }) => ({ 'payload bytes': payloadBytes, ...plan, backlog }),
  async run(bench) {
    const root = process.cwd();
    installPeers(root, bench.say);
    const database = await peersDatabase(bench.stack.superuser, bench.stack.superuserUrl);
    try {
      for (const name of peerNames) await measurePeer(bench, root, name, database.url);
    } finally {
      await database.drop();
    }
    for (const line of compareCycles(bench)) bench.say(line);
  },
};

function compareCycles({ steps }: BenchRun): string[] {
  const ours = bestCycle(steps);
  if (!ours) return ['  our own cycle was not measured in this run: add cycle to --only'];
  return peerCycles(steps).map(({ name, rate }) => {
    const times = ours.rate / rate;
    const verdict = times > 1 ? 'ahead' : 'behind';
    return `  whole cycle: ${ours.scenario} ${short(ours.rate)}/s, ${name} ${short(rate)}/s: ${verdict} (× ${times.toFixed(2)})`;
  });
}

async function measurePeer(bench: BenchRun, root: string, name: string, postgres: string): Promise<void> {
  const peerPlan: PeerPlan = { ...plan, payloadBytes: bench.options.payloadBytes };
  const urls = { postgres, redis: bench.stack.redisUrl };
  const peer = await PeerProcess.start(root, { peer: name, urls, plan: peerPlan });
  try {
    for (const jobs of [plan.batch, plan.batch * 10]) {
      await measureLoad(bench, peer, { load: 'enqueue', size: jobs, name: `enqueue ${jobs} a call` });
      await peer.fresh();
    }
    await peer.fill(backlog);
    await measureLoad(bench, peer, { load: 'drain', size: backlog, name: 'process', warmup: 0 });
    await peer.fresh();
    await measureLoad(bench, peer, { load: 'cycle', size: 0, name: 'cycle' });
  } finally {
    await peer.close();
  }
}

interface PeerStep {
  load: 'enqueue' | 'drain' | 'cycle';
  size: number;
  name: string;
  warmup?: number;
}

async function measureLoad(bench: BenchRun, peer: PeerProcess, { load, size, name, warmup }: PeerStep): Promise<void> {
  const { name: label, version, settings } = peer.about;
  await bench.measure({ name: `${label} ${name}`, settings: { version, ...settings }, warmup }, async (window) => {
    let all = 0;
    const running = peer.run(load, size, (jobs) => {
      all += jobs;
      window.add(jobs);
      if (load === 'drain' && all >= size) window.close();
    });
    await Promise.race([window.whenClosed, running.ended]);
    running.stop();
    const cpuSeconds = await running.ended;
    // Includes the warm-up.
    window.figure('peer CPU µs/op', (cpuSeconds * 1e6) / Math.max(1, all));
  });
}
