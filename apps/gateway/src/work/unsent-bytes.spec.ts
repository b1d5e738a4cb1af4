import { UnsentBytes } from './unsent-bytes.js';

const owner = (name: string) => ({ name, weight: 1 });
const open = new AbortController().signal;

describe('bytes that clients of streams have not accepted', () => {
  it('BX-03 of one organization leave room for another one, and go on in the order of their requests', async () => {
    const unsent = new UnsentBytes({ GRPC_MAX_UNSENT_BYTES: 100 });
    const first = (await unsent.reserve(owner('flood'), 40, open))!;
    const granted: string[] = [];
    for (const [name, bytes] of Object.entries({ second: 30, third: 1 })) {
      void unsent.reserve(owner('flood'), bytes, open).then(() => granted.push(name));
    }
    // Small enough for the share, but others came before.
    expect(unsent.hasRoom(owner('flood'), 1)).toBe(false);
    expect(unsent.hasRoom(owner('quiet'), 30)).toBe(true);
    first.hold(10);
    await Promise.resolve();
    expect(granted).toEqual(['second', 'third']);
  });

  it('lets an organization without any have more than its share, as long as anything is free', async () => {
    const unsent = new UnsentBytes({ GRPC_MAX_UNSENT_BYTES: 100 });
    const all = (await unsent.reserve(owner('a'), 150, open))!;
    expect(unsent.hasRoom(owner('b'), 1)).toBe(false);
    all.release();
    expect(unsent.hasRoom(owner('b'), 150)).toBe(true);
  });

  it('ends the wait of a stream that ends, at once and for those after it', async () => {
    const unsent = new UnsentBytes({ GRPC_MAX_UNSENT_BYTES: 100 });
    const first = (await unsent.reserve(owner('a'), 100, open))!;
    const ending = new AbortController();
    const ended = unsent.reserve(owner('a'), 50, ending.signal);
    const next = unsent.reserve(owner('a'), 50, open);
    ending.abort();
    expect(await ended).toBeNull();
    first.release();
    expect(await next).not.toBeNull();
  });
});
