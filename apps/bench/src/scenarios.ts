import type { Options } from './options.js';
import type { Scenario } from './scenario.js';
import { bulk } from './scenarios/bulk.bench.js';
import { health } from './scenarios/health.bench.js';
import { peers } from './scenarios/peers.bench.js';
import { post } from './scenarios/post.bench.js';

/** In the order in which they run. */
export const scenarios: readonly Scenario[] = [health, post, bulk, peers];

/**
 * Those that `--only` names, else all that are not on demand; `--peers` adds the peers to either.
 * @throws Error naming what fits no scenario
 */
export function chooseScenarios(options: Pick<Options, 'only' | 'peers'>, all = scenarios): Scenario[] {
  const { only } = options;
  const stranger = only.find((wish) => !all.some(({ name }) => name.startsWith(wish)));
  if (stranger) throw new Error(`--only: no scenario is called "${stranger}"; --list names them`);
  const isWanted = ({ name, onDemand }: Scenario): boolean =>
    only.length === 0 ? !onDemand : only.some((wish) => isMeant(wish, name, all));
  return all.filter((scenario) => isWanted(scenario) || (options.peers && scenario === peers));
}

/** A whole name means that scenario alone, although others may begin with it. */
const isMeant = (wish: string, name: string, all: readonly Scenario[]): boolean =>
  all.some((scenario) => scenario.name === wish) ? name === wish : name.startsWith(wish);
