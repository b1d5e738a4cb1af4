import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { HttpSessions, mostPerKey } from './http-sessions.js';

let now = 0;
const closed: string[] = [];
const session = (id: string, keyHash: string) => ({
  transport: {} as StreamableHTTPServerTransport,
  close: () => Promise.resolve(void closed.push(id)),
  keyHash,
});

beforeEach(() => {
  now = 0;
  closed.length = 0;
});

describe('BX-39 sessions of agents over HTTP', () => {
  it('belong to the key that began them', () => {
    const sessions = new HttpSessions(() => now);
    sessions.add('s', session('s', 'mine'));
    expect(sessions.use('s', 'theirs')).toBeUndefined();
    expect(sessions.use('s', 'mine')).toMatchObject({ keyHash: 'mine' });
  });

  it('are closed half an hour after their last request', () => {
    const sessions = new HttpSessions(() => now);
    for (const id of ['used', 'idle']) sessions.add(id, session(id, 'k'));
    now = 1_799_999;
    sessions.use('used', 'k');
    now = 1_800_000;
    expect(sessions.isFull).toBe(false);
    expect(closed).toEqual(['idle']);
    expect(sessions.use('used', 'k')).toBeDefined();
  });

  it('make room within their key, and never for another one', () => {
    const sessions = new HttpSessions(() => now);
    sessions.add('other', session('other', 'other'));
    for (let i = 0; i < mostPerKey; i++) sessions.add(`${i}`, session(`${i}`, 'k'));
    sessions.use('0', 'k');
    sessions.add('last', session('last', 'k'));
    expect(closed).toEqual(['1']);
    for (let key = 0; !sessions.isFull; key++) sessions.add(`key ${key}`, session(`key ${key}`, `key ${key}`));
    expect(closed).toEqual(['1']);
    expect(sessions.use('other', 'other')).toBeDefined();
  });
});
