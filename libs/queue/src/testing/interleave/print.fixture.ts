import type { Act } from './acts.fixture.js';
import { named, type Outcome } from './interleaving.fixture.js';

/** What a person needs to understand a schedule. */
export function printed(outcome: Outcome): string {
  const { seed, acts, told, steps, problems, names, before } = outcome;
  const who = (actor: number) => 'ABC'[actor - 1]!;
  const lines = [
    `seed ${seed}`,
    'Before:',
    ...before.split('\n').map((line) => `  ${line}`),
    'Acts:',
    ...acts.map((act, i) => `  ${who(i + 1)} ${text(act)} -> ${JSON.stringify(told[i])}`),
    'Schedule:',
    ...grouped(steps).map(({ actor, count, place }) => `  ${who(actor)} ${count} steps, to ${place}`),
    'Problems:',
    ...problems.map((problem) => `  ${problem.replaceAll('\n', '\n  ')}`),
  ];
  return named(lines.join('\n'), names);
}

function text({ verb, ...members }: Act): string {
  const given = Object.entries(members).filter(
    ([name, value]) => value !== null && value !== false && name !== 'worker',
  );
  return [verb, ...given.map(([name, value]) => `${name}=${value}`)].join(' ');
}

function grouped(steps: Outcome['steps']): { actor: number; count: number; place: string }[] {
  const groups: { actor: number; count: number; place: string }[] = [];
  for (const { actor, place } of steps) {
    const last = groups.at(-1);
    if (last?.actor === actor) Object.assign(last, { count: last.count + 1, place });
    else groups.push({ actor, count: 1, place });
  }
  return groups;
}
