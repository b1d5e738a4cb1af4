import type { Options } from './options.js';
import type { Scenario } from './scenario.js';
import { against } from './scenarios/against.bench.js';
import { batch } from './scenarios/batch.bench.js';
import { cancel } from './scenarios/cancel.bench.js';
import { claim } from './scenarios/claim.bench.js';
import { complete } from './scenarios/complete.bench.js';
import { cycleBatches } from './scenarios/cycle-batches.bench.js';
import { cycleGrpc } from './scenarios/cycle-grpc.bench.js';
import { cycleRest } from './scenarios/cycle-rest.bench.js';
import { embedded } from './scenarios/embedded.bench.js';
import { fairness } from './scenarios/fairness.bench.js';
import { filters } from './scenarios/filters.bench.js';
import { finished } from './scenarios/finished.bench.js';
import { floor } from './scenarios/floor.bench.js';
import { hostile } from './scenarios/hostile.bench.js';
import { hostileReaders } from './scenarios/hostile-readers.bench.js';
import { hostileReceivers } from './scenarios/hostile-receivers.bench.js';
import { idle, idleAgain } from './scenarios/idle.bench.js';
import { large } from './scenarios/large.bench.js';
import { moderate } from './scenarios/moderate.bench.js';
import { overload } from './scenarios/overload.bench.js';
import { peers } from './scenarios/peers.bench.js';
import { pending } from './scenarios/pending.bench.js';
import { pickup } from './scenarios/pickup.bench.js';
import { pinned } from './scenarios/pinned.bench.js';
import { reads } from './scenarios/reads.bench.js';
import { bulk, health, list, post } from './scenarios/requests.bench.js';
import { retention } from './scenarios/retention.bench.js';
import { scaling } from './scenarios/scaling.bench.js';
import { search } from './scenarios/search.bench.js';
import { tenants } from './scenarios/tenants.bench.js';
import { waits } from './scenarios/waits.bench.js';

/** In execution order. */
export const scenarios: readonly Scenario[] = [
  idle,
  health,
  post,
  bulk,
  claim,
  complete,
  list,
  large,
  reads,
  floor,
  cycleRest,
  cycleGrpc,
  cycleBatches,
  embedded,
  pickup,
  cancel,
  moderate,
  idleAgain,
  peers,
  against,
  scaling,
  tenants,
  fairness,
  hostile,
  ...hostileReaders,
  hostileReceivers,
  overload,
  finished,
  filters,
  search,
  pending,
  waits,
  batch,
  retention,
  pinned,
];

/**
 * The scenarios that `--only` names, otherwise all that are not on demand. `--peers` and `--against` add their own; `floor` is added when a
 * chosen scenario is compared with it.
 * @throws Error naming a pattern that matches no scenario
 */
export function chooseScenarios(options: Options): Scenario[] {
  const { only } = options;
  const unknown = only.find((pattern) => !scenarios.some(({ name }) => name.startsWith(pattern)));
  if (unknown) throw new Error(`--only: unknown scenario "${unknown}"; --list prints all`);
  const isWanted = ({ name, onDemand }: Scenario): boolean =>
    only.length === 0 ? !onDemand : only.some((pattern) => matches(pattern, name));
  const wanted = scenarios.filter((scenario) => isWanted(scenario) || isAdded(scenario, options));
  const needsFloor = wanted.some(({ againstFloor }) => againstFloor);
  return scenarios.filter((scenario) => wanted.includes(scenario) || (needsFloor && scenario === floor));
}

const isAdded = (scenario: Scenario, options: Options): boolean =>
  (options.peers && scenario === peers) || (options.against !== null && scenario === against);

/** An exact name matches only that scenario, even if other names start with it. */
const matches = (pattern: string, name: string): boolean =>
  scenarios.some((scenario) => scenario.name === pattern) ? name === pattern : name.startsWith(pattern);
