import { partitionTags, slotOf } from './cluster-slots.js';

describe('SP-94 the slots of a Redis Cluster', () => {
  it('are those that Redis computes', () => {
    // CLUSTER KEYSLOT of Redis 7.0.15.
    expect(['123456789', 'foo', 'spooled-5-5'].map(slotOf)).toEqual([12_739, 12_182, 13_185]);
  });

  it.each([1, 2, 3, 6, 12, 64])('%i partitions are spread evenly over the slots', (count) => {
    const tags = partitionTags(count);
    expect(tags.map((tag) => Math.floor((slotOf(tag) * count) / 16_384))).toEqual(tags.map((_, index) => index));
    expect(new Set(tags).size).toBe(count);
  });
});
