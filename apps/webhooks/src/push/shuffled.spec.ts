import { shuffled } from './shuffled.js';

it('MQ-11 lets everything come first now and then, and loses nothing', () => {
  const all = ['a', 'b', 'c'];
  const rounds = Array.from({ length: 200 }, () => shuffled(all));
  expect(new Set(rounds.map(([first]) => first))).toEqual(new Set(all));
  for (const round of rounds) expect(round.toSorted()).toEqual(all);
});
