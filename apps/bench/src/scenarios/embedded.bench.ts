import { PeerProcess, peerPlan } from '../peers/peer-process.js';
import type { Scenario } from '../scenario.js';
import { reportRatio } from './floor.bench.js';

export const embedded: Scenario = {
  name: 'embedded',
  what: 'producers and workers in one process on libs/queue, with tenant isolation: bulk enqueue, claim, handler, completion',
  againstFloor: true,
  settings: ({ payloadBytes }) => ({ 'payload bytes': payloadBytes, ...peerPlan }),
  async run(bench) {
    const { stack, options } = bench;
    const urls = { postgres: stack.urls.app, system: stack.urls.system, organization: stack.organizationId };
    const plan = { ...peerPlan, payloadBytes: options.payloadBytes };
    await using peer = await PeerProcess.start(process.cwd(), { peer: 'embedded', urls, plan });
    const step = await bench.measure({ name: 'whole cycle', settings: peer.about.settings }, (window) =>
      peer.measure('cycle', 0, window),
    );
    reportRatio(bench, step);
  },
};
