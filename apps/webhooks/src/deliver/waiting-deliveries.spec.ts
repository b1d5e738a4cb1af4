import { WaitingDeliveries } from './waiting-deliveries.js';

const ref = (name: string) => ({ id: name, organizationId: name[0]! });
const waitingFor = (names: string[], limits = { maxPerOrganization: 10, maxTotal: 100 }) => {
  const waiting = new WaitingDeliveries(limits);
  return { waiting, added: names.map((name) => waiting.add(ref(name))) };
};

it('BX-03 serves organizations in turn, and each in order of arrival', () => {
  const { waiting } = waitingFor(['a1', 'a2', 'a3', 'b1', 'c1', 'b2']);
  const served = Array.from({ length: 7 }, () => waiting.next(() => true)?.id ?? null);
  expect(served).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', null]);
});

it('passes over organizations without a place, which keep their turn', () => {
  const { waiting } = waitingFor(['a1', 'b1', 'b2']);
  expect(waiting.next((organization) => organization === 'b')).toEqual(ref('b1'));
  expect(waiting.next(() => false)).toBeNull();
  expect([...waiting.organizations()]).toEqual(['a', 'b']);
  expect(waiting.takeAll()).toEqual([ref('a1'), ref('b2')]);
  expect(waiting.takeAll()).toEqual([]);
});

it('keeps a delivery once, and so many of one organization and of all', () => {
  const { waiting, added } = waitingFor(['a1', 'a1', 'a2', 'a3', 'b1', 'c1'], { maxPerOrganization: 2, maxTotal: 3 });
  expect(added).toEqual([true, true, true, false, true, false]);
  expect(['a2', 'a3', 'b1', 'b2', 'c1'].map((name) => waiting.covers(ref(name)))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  waiting.next(() => true);
  expect([waiting.add(ref('c1')), waiting.add(ref('c2'))]).toEqual([true, false]);
});
