import { StreamRequests } from './stream-requests.js';

const owner = (name: string, weight = 4) => ({ name, weight });

/** Begins all requests that the owner may have in flight; resolves with their number. */
function fill(requests: StreamRequests, name: string): number {
  let begun = 0;
  for (; requests.hasCapacity(owner(name)); begun++) requests.begin(owner(name));
  return begun;
}

describe('requests of job streams in flight', () => {
  it('BX-03 of one organization leave capacity for those of another', () => {
    const requests = new StreamRequests();
    expect(fill(requests, 'flood')).toBe(3276);
    expect(fill(requests, 'quiet')).toBeGreaterThan(256);
    expect(requests.hasCapacity(owner('flood'))).toBe(false);
  });

  it('that end let every paused stream of their organization be read again, also one that has nothing to read', () => {
    const requests = new StreamRequests();
    const begun = fill(requests, 'flood');
    const resumed: string[] = [];
    for (const stream of ['one', 'two', 'three']) requests.onceAvailable(owner('flood'), () => resumed.push(stream));
    for (let i = 0; i < 10; i++) requests.end(owner('flood'));
    expect(resumed).toEqual([]);
    for (let i = 10; i < begun; i++) requests.end(owner('flood'));
    expect(resumed).toEqual(['one', 'two', 'three']);
  });

  it('let a paused organization go on when others have released capacity, in turn', () => {
    const requests = new StreamRequests();
    const names = Array.from({ length: 40 }, (_, i) => `flood ${i}`);
    for (const name of names) fill(requests, name);
    requests.begin(owner('late'));
    const resumed: string[] = [];
    requests.onceAvailable(owner('late'), () => resumed.push('late'));
    for (const name of names.slice(0, 10)) for (let i = 0; i < 80; i++) requests.end(owner(name));
    expect(resumed).toEqual(['late']);
  });
});
