import { checkCallbackHeaders } from './callback-headers.js';

const many = (count: number, value = 'v') =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-H${i}`, value]));

describe('headers of callbacks', () => {
  it('may have any other name and a value of visible ASCII', () => {
    expect(checkCallbackHeaders({})).toBeNull();
    expect(checkCallbackHeaders({ 'X-Api-Key': 'k 1=~', 'x-tenant': '', Accept: 'application/json' })).toBeNull();
    expect(checkCallbackHeaders(many(20))).toBeNull();
  });

  it.each([
    ...['Host', 'AUTHORIZATION', 'connection', 'Transfer-Encoding', 'content-length', 'Cookie', 'TE', 'Upgrade'],
    ...['Proxy-Authorization', 'X-Forwarded-For', 'X-Spooled-Signature', 'traceparent', 'Expect', 'Content-Type'],
  ])('SP-57 may not frame, route or prove the request: %s', (name) => {
    expect(checkCallbackHeaders({ [name]: 'x' })).toBe(`must not contain ${name.toLowerCase()}`);
  });

  it.each([
    ['a line break', { 'x-a': 'v\r\nHost: evil' }],
    ['a line break in a name', { 'x-a\r\nhost': 'v' }],
    ['a control character', { 'x-a': 'v\0' }],
    ['a space at the end', { 'x-a': 'v ' }],
    ['another script', { 'x-a': 'ä' }],
    ['a pseudo-header', { ':authority': 'evil' }],
    ['an empty name', { '': 'v' }],
    ['a long name', { ['x'.repeat(65)]: 'v' }],
    ['a long value', { 'x-a': 'v'.repeat(1025) }],
    ['a value that is no text', { 'x-a': 7 }],
    ['the same name twice', { 'X-A': '1', 'x-a': '2' }],
    ['too many', many(21)],
    ['too much', many(5, 'v'.repeat(1000))],
    ['a list', ['x-a']],
    ['nothing', null],
  ])('refuse %s', (_what, headers) => {
    expect(checkCallbackHeaders(headers)).toEqual(expect.any(String));
  });
});
