import type { Options } from './options.js';
import type { Scenario } from './scenario.js';
import { bulk } from './scenarios/bulk.bench.js';
import { claim } from './scenarios/claim.bench.js';
import { complete } from './scenarios/complete.bench.js';
import { cycleGrpc } from './scenarios/cycle-grpc.bench.js';
import { cycleRest } from './scenarios/cycle-rest.bench.js';
import { fairness } from './scenarios/fairness.bench.js';
import { finished } from './scenarios/finished.bench.js';
import { floor } from './scenarios/floor.bench.js';
import { health } from './scenarios/health.bench.js';
import { idle, idleAgain } from './scenarios/idle.bench.js';
import { list } from './scenarios/list.bench.js';
import { moderate } from './scenarios/moderate.bench.js';
import { overload } from './scenarios/overload.bench.js';
import { peers } from './scenarios/peers.bench.js';
import { pending } from './scenarios/pending.bench.js';
import { pickup } from './scenarios/pickup.bench.js';
import { pinned } from './scenarios/pinned.bench.js';
import { post } from './scenarios/post.bench.js';
import { retention } from './scenarios/retention.bench.js';
import { tenants } from './scenarios/tenants.bench.js';

/** In the order in which they run. */
export const scenarios: readonly Scenario[] = [
  idle,
  health,
  post,
  bulk,
  claim,
  complete,
  list,
  floor,
  cycleRest,
  cycleGrpc,
  pickup,
  moderate,
  idleAgain,
  peers,
  tenants,
  fairness,
  overload,
  finished,
  pending,
  retention,
  pinned,
];

/**
 * Those that `--only` names, else all that are not on demand; `--peers` adds the peers to either, and what is
 * compared with the floor brings it along.
 * @throws Error naming what fits no scenario
 */
export function chooseScenarios(options: Pick<Options, 'only' | 'peers'>, all = scenarios): Scenario[] {
  const { only } = options;
  const stranger = only.find((wish) => !all.some(({ name }) => name.startsWith(wish)));
  if (stranger) throw new Error(`--only: no scenario is called "${stranger}"; --list names them`);
  const isWanted = ({ name, onDemand }: Scenario): boolean =>
    only.length === 0 ? !onDemand : only.some((wish) => isMeant(wish, name, all));
  const wanted = all.filter((scenario) => isWanted(scenario) || (options.peers && scenario === peers));
  const needsFloor = wanted.some(({ againstFloor }) => againstFloor);
  return all.filter((scenario) => wanted.includes(scenario) || (needsFloor && scenario === floor));
}

/** A whole name means that scenario alone, although others may begin with it. */
const isMeant = (wish: string, name: string, all: readonly Scenario[]): boolean =>
  all.some((scenario) => scenario.name === wish) ? name === wish : name.startsWith(wish);
