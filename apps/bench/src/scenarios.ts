import type { Options } from './options.js';
import type { Scenario } from './scenario.js';
import { bulk } from './scenarios/bulk.bench.js';
import { health } from './scenarios/health.bench.js';
import { post } from './scenarios/post.bench.js';

/** In the order in which they run. */
export const scenarios: readonly Scenario[] = [health, post, bulk];

/**
 * Those that `--only` names, else all that are not on demand.
 * @throws Error naming what fits no scenario
 */
export function chooseScenarios({ only }: Pick<Options, 'only'>, all = scenarios): Scenario[] {
  if (only.length === 0) return all.filter(({ onDemand }) => !onDemand);
  const stranger = only.find((wish) => !all.some(({ name }) => name.startsWith(wish)));
  if (stranger) throw new Error(`--only: no scenario is called "${stranger}"; --list names them`);
  return all.filter(({ name }) => only.some((wish) => isMeant(wish, name, all)));
}

/** A whole name means that scenario alone, although others may begin with it. */
const isMeant = (wish: string, name: string, all: readonly Scenario[]): boolean =>
  all.some((scenario) => scenario.name === wish) ? name === wish : name.startsWith(wish);
