import { join } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/**
 * The spec files that take longest, the longest first. One that starts late runs alone at the end of a run. A run of the gate prints
 * its slowest files; each that takes more than 15 s on two idle cores belongs here.
 */
const longest = [
  'libs/queue/src/testing/planted-bugs.faults.spec.ts',
  'apps/e2e/src/chaos/chaos-run.faults.spec.ts',
  'apps/e2e/src/resilience.faults.spec.ts',
  'libs/service/src/redelivery/redelivery.faults.spec.ts',
  'apps/e2e/src/bench.faults.spec.ts',
  'apps/e2e/src/database.faults.spec.ts',
  'apps/e2e/src/isolation/isolation-run.faults.spec.ts',
  'deploy/local/interrupted-run.faults.spec.ts',
  'apps/e2e/src/redis-failover.faults.spec.ts',
  'libs/transport/src/connection/failover.faults.spec.ts',
  'apps/e2e/src/paused-engine.faults.spec.ts',
  'libs/queue/src/testing/interleave/interleave-run.faults.spec.ts',
  'deploy/local/older-postgres.faults.spec.ts',
  'apps/e2e/src/development-system.faults.spec.ts',
  'libs/transport/src/connection/reconnection.faults.spec.ts',
  'apps/e2e/src/largest-requests.spec.ts',
  'apps/e2e/src/conformance.spec.ts',
  'apps/e2e/src/sdk-worker.spec.ts',
  'apps/e2e/src/isolation/isolation.spec.ts',
  'apps/e2e/src/examples.spec.ts',
  'apps/e2e/src/secret-members.spec.ts',
  'apps/e2e/src/rest-claims.spec.ts',
  'apps/webhooks/src/push/push.spec.ts',
];

/**
 * Files of `e2e` first, so that the stacks that they share can stop (end-stacks.mjs). Jest knows how long files took before, except in a
 * fresh clone, where it takes those of most bytes first.
 */
export default class extends Sequencer {
  constructor(options) {
    super(options);
    this.places = new Map(longest.map((path, i) => [join(options.globalConfig.rootDir, path), i]));
  }

  sort(tests) {
    const place = ({ path }) => this.places.get(path) ?? longest.length;
    const stage = ({ context }) => (context.config.displayName?.name === 'e2e' ? 0 : 1);
    return [...super.sort(tests)].sort((a, b) => stage(a) - stage(b) || place(a) - place(b));
  }
}
