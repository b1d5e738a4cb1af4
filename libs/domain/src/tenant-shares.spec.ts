import { shareWeights } from './plan-numbers.js';
import { TenantShares } from './tenant-shares.js';

/** Takes all slots that the tenant may have; returns their number. */
function fill(shares: TenantShares, tenant: string): number {
  let taken = 0;
  for (let slots = shares.available(tenant); slots > 0; slots = shares.available(tenant)) {
    shares.take(tenant, slots);
    taken += slots;
  }
  return taken;
}

describe('the shares of tenants', () => {
  it('MQ-11 are half of the slots for one tenant, and leave some for each further one', () => {
    const shares = new TenantShares(64);
    expect(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((tenant) => fill(shares, tenant))).toEqual([
      32, 16, 8, 4, 2, 1, 1, 0,
    ]);
    shares.release('a', 1);
    expect([shares.available('a'), shares.available('b'), shares.available('h')]).toEqual([0, 0, 1]);
  });

  it('become equal as slots are released', () => {
    const shares = new TenantShares(60);
    const held = { a: fill(shares, 'a'), b: fill(shares, 'b') };
    for (let round = 0; round < 200; round++) {
      for (const tenant of ['a', 'b'] as const) {
        shares.release(tenant, 1);
        held[tenant] += fill(shares, tenant) - 1;
      }
    }
    expect([held.a, held.b, shares.free]).toEqual([20, 20, 20]);
  });

  it('are one slot for each tenant round robin if there is only one', () => {
    const shares = new TenantShares(1);
    expect([fill(shares, 'a'), fill(shares, 'b')]).toEqual([1, 0]);
    shares.release('a', 1);
    expect(shares.available('b')).toBe(1);
  });
});

describe('weighted shares of tenants', () => {
  /** As `fill`, one unit at a time. */
  function fillUp(shares: TenantShares, tenant: string, weight: number): number {
    let taken = 0;
    for (; shares.available(tenant, weight) >= 1; taken++) shares.take(tenant, 1);
    return taken;
  }

  it('BX-03 are nearly everything for one tenant, with room for a further one', () => {
    const shares = new TenantShares(1_000);
    expect(fillUp(shares, 'flood', shareWeights.enterprise)).toBe(969);
    expect(fillUp(shares, 'quiet', shareWeights.free)).toBe(24);
  });

  it('BX-03 become proportional to the weights as units are released', () => {
    const shares = new TenantShares(1_000);
    const held = { a: fillUp(shares, 'a', 4), b: fillUp(shares, 'b', 8) };
    for (let round = 0; round < 5_000; round++) {
      for (const [tenant, weight] of [
        ['a', 4],
        ['b', 8],
      ] as const) {
        shares.release(tenant, 1);
        held[tenant] += fillUp(shares, tenant, weight) - 1;
      }
    }
    expect(held.b / held.a).toBeCloseTo(2, 1);
    expect(held.a + held.b).toBe(1_000 - shares.free);
  });

  it('are unlimited without a capacity', () => {
    const shares = new TenantShares(Infinity);
    shares.take('a', 1_000_000);
    expect(shares.available('a', 4)).toBe(Infinity);
    shares.release('a', 1_000_000);
    expect(shares.usedBy('a')).toBe(0);
  });
});
