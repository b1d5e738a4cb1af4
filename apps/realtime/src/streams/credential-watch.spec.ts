import { jest } from '@jest/globals';
import type { CredentialFeed } from '@spooled/data-access';
import { unauthorized } from '@spooled/domain';
import type { AppLogger } from '@spooled/platform';
import type { Authenticator } from '@spooled/service';
import type { InvalidationNotice, RedisCredentialCache } from '@spooled/transport';
import { CredentialWatch } from './credential-watch.service.js';
import type { EndReason, OpenStream, OpenStreams } from './open-streams.js';

type Feed = Parameters<CredentialFeed['onChange']>[0];
type Change = Parameters<Feed>[0];

/** A watch over one stream of each credential, whose periodic review never begins. */
function watchOver(...credentials: { credential: string; organizationId: string }[]) {
  const ended: [credential: string, reason: EndReason][] = [];
  const streamOf = ({ credential, organizationId }: (typeof credentials)[number]) =>
    ({
      caller: { credential, organizationId, stream: 'events' },
      end: (reason: EndReason) => void ended.push([credential, reason]),
    }) as unknown as OpenStream;
  let added: (stream: OpenStream) => void = () => undefined;
  const streams = Object.assign(credentials.map(streamOf), {
    onAdded: (each: typeof added) => ((added = each), () => undefined),
  });
  const revoked = new Set<string>();
  const reviewed: string[] = [];
  const authenticator = {
    ofCredential: (credential: string) => {
      reviewed.push(credential);
      return revoked.has(credential) ? Promise.reject(unauthorized('revoked')) : Promise.resolve({ role: 'admin' });
    },
  } as unknown as Authenticator;
  let notice!: (notice: InvalidationNotice) => void;
  let change!: (change: Change) => void;
  const cache = { onInvalidate: (each: typeof notice) => ((notice = each), () => undefined) };
  const feed = { onChange: (each: typeof change) => ((change = each), () => undefined) };
  const watch = new CredentialWatch(
    cache as unknown as RedisCredentialCache,
    feed as unknown as CredentialFeed,
    authenticator,
    streams as unknown as OpenStreams,
    { warn: () => undefined } as unknown as AppLogger,
  );
  watch.onModuleInit();
  const add = (of: (typeof credentials)[number]) => added(streamOf(of));
  return { watch, revoked, reviewed, ended, notice, change, add };
}

/** Until everything that was started in this turn of the event loop and the next one is done. */
const settled = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe('SP-72 SP-75 the credentials of open streams', () => {
  const mine = { credential: 'mine', organizationId: 'a' };
  const other = { credential: 'other', organizationId: 'a' };
  const foreign = { credential: 'foreign', organizationId: 'b' };

  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
  afterEach(() => jest.useRealTimers());

  it.each<[string, (watch: ReturnType<typeof watchOver>) => void]>([
    ['a notice', ({ notice }) => notice({ kind: 'api_key', organizationId: 'a', hashes: ['h'] })],
    ['a change that was read', ({ change }) => change({ organizationId: 'a' } as Change)],
  ])('are checked at once after %s, and only those of its organization', async (_what, tell) => {
    const all = watchOver(mine, other, foreign);
    all.revoked.add('mine');
    tell(all);
    await settled();
    expect(all.reviewed.sort()).toEqual(['mine', 'other']);
    expect(all.ended).toEqual([['mine', 'revoked']]);
    all.watch.onModuleDestroy();
  });

  it('are checked once their stream is open, because they may have changed while it was opened', async () => {
    const all = watchOver(other);
    all.revoked.add('mine');
    all.add(mine);
    await settled();
    expect([all.reviewed, all.ended]).toEqual([['mine'], [['mine', 'revoked']]]);
    all.watch.onModuleDestroy();
  });

  it('are all checked every five seconds, for keys that expire', async () => {
    const all = watchOver(mine, foreign);
    all.revoked.add('foreign');
    jest.advanceTimersByTime(4_999);
    await settled();
    expect(all.reviewed).toEqual([]);
    jest.advanceTimersByTime(1);
    await settled();
    expect(all.ended).toEqual([['foreign', 'revoked']]);
    all.watch.onModuleDestroy();
  });
});
