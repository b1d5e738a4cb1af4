import { byOrganization, inGroups } from './batch-step.js';

describe('the groups of a batch', () => {
  const commands = ['c', 'a', 'b', 'a', 'c', 'b'].map((organizationId) => ({ organizationId }));

  it('are sorted by their key, so that two batches take locks in the same order', () => {
    const order = (batch: typeof commands) => inGroups(batch, byOrganization).map(({ first }) => first.organizationId);
    expect(order(commands)).toEqual(['a', 'b', 'c']);
    expect(order(commands.toReversed())).toEqual(['a', 'b', 'c']);
  });

  it('keep the numbers of their commands in the batch, in order', () => {
    const numbers = inGroups(commands, byOrganization).map(({ members }) => members.map(({ number }) => number));
    expect(numbers).toEqual([
      [1, 3],
      [2, 5],
      [0, 4],
    ]);
  });
});
