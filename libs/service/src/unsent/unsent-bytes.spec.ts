import { ManualClock } from '@spooled/testing';
import { UnsentBytes } from './unsent-bytes.js';

const stalledMs = 30_000;
const owner = (name: string) => ({ name, weight: 1 });
const open = new AbortController().signal;

function bytesOf(maxBytes: number) {
  const clock = new ManualClock();
  const unsent = new UnsentBytes({ maxBytes, stalledMs }, clock);
  const ended: string[] = [];
  const reader = (organization: string, name = organization) =>
    unsent.open('events', owner(organization), () => ended.push(name));
  return { clock, unsent, ended, reader };
}

describe('bytes that wait for clients', () => {
  it('BX-03 of one organization leave room for another one, and go on in the order of their requests', async () => {
    const { reader } = bytesOf(100);
    const flood = reader('flood');
    const first = (await flood.reserve(40, open))!;
    const granted: string[] = [];
    for (const [name, bytes] of Object.entries({ second: 30, third: 1 })) {
      void flood.reserve(bytes, open).then(() => granted.push(name));
    }
    // Small enough for the share, but others came before.
    expect(flood.hasCapacity(1)).toBe(false);
    expect(reader('quiet').hasCapacity(30)).toBe(true);
    first.hold(10);
    await Promise.resolve();
    await Promise.resolve();
    expect(granted).toEqual(['second', 'third']);
  });

  it('lets an organization without any have more than its share, as long as anything is free', async () => {
    const { reader } = bytesOf(100);
    const all = (await reader('a').reserve(150, open))!;
    expect(reader('b').hasCapacity(1)).toBe(false);
    all.release();
    expect(reader('b').hasCapacity(150)).toBe(true);
  });

  it('ends the wait of a stream that ends, at once and for those after it', async () => {
    const { reader } = bytesOf(100);
    const one = reader('a');
    const first = (await one.reserve(100, open))!;
    const ending = new AbortController();
    const ended = one.reserve(50, ending.signal);
    const next = one.reserve(50, open);
    ending.abort();
    expect(await ended).toBeNull();
    first.release();
    expect(await next).not.toBeNull();
  });

  it('keeps no bytes for a stream that has ended, and does not make it wait for any', async () => {
    const { unsent, reader } = bytesOf(100);
    const one = reader('a');
    const first = (await one.reserve(60, open))!;
    const turnOfEventLoop = () => new Promise((resolve) => setImmediate(() => resolve('waits')));
    const reserved = () => Promise.race([one.reserve(60, AbortSignal.abort()), turnOfEventLoop()]);
    expect(await reserved()).toBeNull();
    first.release();
    expect([await reserved(), unsent.bytesOf('events')]).toEqual([null, 0]);
  });

  it('counts what a client was to get until it is closed, by kind, and nothing after', async () => {
    const { unsent, reader } = bytesOf(100);
    const one = reader('a');
    const reserved = (await one.reserve(20, open))!;
    const taken = one.tryTake(15)!;
    expect(one.tryTake(50)).toBeNull();
    expect([unsent.bytesOf('events'), unsent.bytesOf('rest')]).toEqual([35, 0]);
    one.close();
    reserved.release();
    taken.hold(5);
    one.set(7);
    one.take(9).release();
    one.take(9);
    expect(unsent.bytesOf('events')).toBe(0);
    expect(reader('b').hasCapacity(50)).toBe(true);
  });

  it('BX-03 ends the clients of an organization beyond its share that have the most, and no more of them than needed', () => {
    const { ended, reader } = bytesOf(100);
    const [small, large, larger] = [reader('a', 'small'), reader('a', 'large'), reader('a', 'larger')];
    const other = reader('b');
    other.set(10);
    small.set(5);
    large.set(15);
    larger.set(20);
    expect(ended).toEqual([]);
    // The bytes of a client that ends still wait, but are about to go.
    small.set(16);
    small.set(17);
    expect(ended).toEqual(['larger']);
    larger.close();
    small.set(18);
    expect(ended).toEqual(['larger']);
  });

  it('BX-03 ends the client that accepts nothing for longest, once others of its organization have waited for so long', async () => {
    const { clock, ended, reader } = bytesOf(100);
    const [stalled, slow] = [reader('a', 'stalled'), reader('a', 'slow')];
    const [late, waiting] = [reader('a', 'late'), reader('a', 'waiting')];
    await stalled.reserve(20, open);
    const accepted = (await slow.reserve(20, open))!;
    await clock.advance(stalledMs - 1);
    await late.reserve(5, open);
    // Nobody waits: a client may take its time.
    await clock.advance(10 * stalledMs);
    expect(ended).toEqual([]);
    const granted = waiting.reserve(20, open);
    accepted.hold(19);
    await clock.advance(stalledMs - 1);
    expect(ended).toEqual([]);
    accepted.hold(18);
    await clock.advance(1);
    expect(ended).toEqual(['stalled']);
    stalled.close();
    expect(await granted).not.toBeNull();
  });

  it('BX-03 ends neither clients that accept something, nor those without bytes, nor one twice', async () => {
    const { clock, ended, reader } = bytesOf(100);
    const [slow, idle, first, second] = ['slow', 'idle', 'first', 'second'].map((name) => reader('a', name));
    const [last, waiting] = [reader('a', 'last'), reader('a', 'waiting')];
    const accepted = (await slow!.reserve(15, open))!;
    await second!.reserve(14, open);
    await clock.advance(1_000);
    await first!.reserve(10, open);
    await clock.advance(1_000);
    await last.reserve(5, open);
    await clock.advance(24_000);
    // More of them does not mean that the client accepts any.
    second!.take(1);
    accepted.hold(14);
    const ending = new AbortController();
    const granted = waiting.reserve(40, ending.signal);
    await clock.advance(1_000);
    accepted.hold(13);
    idle!.take(5);
    await clock.advance(stalledMs - 1_001);
    expect(ended).toEqual([]);
    await clock.advance(1);
    expect(ended).toEqual(['second', 'first', 'last']);
    // They have not closed, so others that stall by now are ended.
    await clock.advance(stalledMs);
    expect(ended).toEqual(['second', 'first', 'last', 'slow', 'idle']);
    ending.abort();
    expect(await granted).toBeNull();
    await clock.advance(2 * stalledMs);
    expect(ended).toHaveLength(5);
  });

  it('BX-03 ends no client of an organization that has exactly its share', () => {
    const { unsent, ended, reader } = bytesOf(100);
    const one = reader('a');
    one.set(50);
    expect([ended, reader('b').hasCapacity(50)]).toEqual([[], true]);
    const another = reader('b');
    another.take(50);
    // It has accepted some, so it goes on, although another organization has taken what was free.
    one.set(40);
    expect(ended).toEqual([]);
    one.set(41);
    expect(ended).toEqual(['a']);
    // A response of a request cannot be ended.
    unsent.open('rest', owner('c')).set(60);
    expect(ended).toEqual(['a']);
  });

  it('BX-03 finds the other clients of an organization when one has closed', () => {
    const { ended, reader } = bytesOf(100);
    const [gone, left] = [reader('a', 'gone'), reader('a', 'left')];
    gone.close();
    left.set(51);
    expect(ended).toEqual(['left']);
  });

  it('has nothing for another organization when all is taken, and what is left at its bound', () => {
    const { reader } = bytesOf(100);
    reader('a').take(60);
    expect([20, 21].map((bytes) => reader('a').hasCapacity(bytes))).toEqual([false, false]);
    const other = reader('b');
    other.take(10);
    expect([10, 11].map((bytes) => other.hasCapacity(bytes))).toEqual([true, false]);
    reader('a').take(30);
    expect(reader('c').hasCapacity(1)).toBe(false);
  });
});
