import { ManualClock } from '@spooled/testing';
import { unavailable } from './errors.js';
import { TenantSlots } from './tenant-slots.js';

/** Runs work of a tenant that ends when told; `running` has the tenants whose work runs, in the order in which it began. */
function slotsOf(slotCount: number) {
  const clock = new ManualClock();
  const slots = new TenantSlots({ slots: slotCount, maxWaitMs, clock, refusal: () => unavailable('what they share') });
  const running: string[] = [];
  const ends: { tenant: string; end: () => void }[] = [];
  const begin = (tenant: string): Promise<void> =>
    slots.run(tenant, () => {
      running.push(tenant);
      return new Promise<void>((end) => ends.push({ tenant, end }));
    });
  const endOne = async (tenant: string): Promise<void> => {
    const at = ends.findIndex((one) => one.tenant === tenant);
    ends.splice(at, 1)[0]!.end();
    running.splice(running.indexOf(tenant), 1);
    await settled();
  };
  return { begin, endOne, running, clock, slots };
}

const maxWaitMs = 20;
const settled = () => new Promise((resolve) => setImmediate(resolve));
const count = (running: string[], tenant: string) => running.filter((one) => one === tenant).length;

describe('slots of tenants', () => {
  it('BX-03 are left for another tenant, however much one has waiting', async () => {
    const { begin, endOne, running } = slotsOf(9);
    const all = Array.from({ length: 50 }, () => begin('flood'));
    await settled();
    expect(count(running, 'flood')).toBe(6);
    all.push(begin('quiet'), begin('quiet'));
    await settled();
    expect(count(running, 'quiet')).toBe(2);
    while (running.length > 0) await endOne(running[0]!);
    await Promise.all(all);
  });

  it('BX-03 become equal as work ends, and tenants that wait are served in turn', async () => {
    const { begin, endOne, running } = slotsOf(10);
    const all = Array.from({ length: 40 }, () => begin('a'));
    all.push(...Array.from({ length: 40 }, () => begin('b')));
    await settled();
    const before = count(running, 'b');
    for (let i = 0; i < 6; i++) await endOne('a');
    expect(before).toBeLessThan(count(running, 'b'));
    expect(Math.abs(count(running, 'a') - count(running, 'b'))).toBeLessThanOrEqual(1);
    while (running.length > 0) await endOne(running[0]!);
    await Promise.all(all);
  });

  it('are refused after the maximum wait, and still given to the next', async () => {
    const { begin, endOne, running, clock, slots } = slotsOf(1);
    const first = begin('a');
    const refused = expect(begin('b')).rejects.toMatchObject({ status: 503, retryAfterSeconds: 1 });
    expect(slots.waitingWork).toBe(1);
    await clock.advance(maxWaitMs);
    await refused;
    expect(slots.waitingWork).toBe(0);
    const next = begin('c');
    expect(slots.waitingWork).toBe(1);
    await endOne('a');
    expect([running, slots.waitingWork]).toEqual([['c'], 0]);
    await endOne('c');
    await Promise.all([first, next]);
  });
});
