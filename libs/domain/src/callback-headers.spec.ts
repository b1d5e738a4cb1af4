import { checkCallbackHeaders } from './callback-headers.js';

const many = (count: number, value = 'v') =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-H${i}`, value]));
const name = "holds a name that is no header's, or longer than 64 characters";
const value = 'x-a must be a text of at most 1024 visible ASCII characters';

describe('headers of callbacks', () => {
  it('may have any other name and a value of visible ASCII', () => {
    expect(checkCallbackHeaders({})).toBeNull();
    expect(checkCallbackHeaders({ 'X-Api-Key': 'k 1=~', 'x-tenant': '', Accept: 'application/json' })).toBeNull();
    expect(checkCallbackHeaders(many(20))).toBeNull();
    expect(checkCallbackHeaders({ ['x'.repeat(64)]: 'v'.repeat(1_024) })).toBeNull();
    // Four names of four characters.
    expect(checkCallbackHeaders(many(4, 'v'.repeat(1_020)))).toBeNull();
  });

  it.each([
    ...['Host', 'AUTHORIZATION', 'connection', 'Transfer-Encoding', 'content-length', 'Cookie', 'TE', 'Upgrade'],
    ...['Proxy-Authorization', 'X-Forwarded-For', 'X-Spooled-Signature', 'traceparent', 'Expect', 'Content-Type'],
  ])('SP-57 may not frame, route or prove the request: %s', (name) => {
    expect(checkCallbackHeaders({ [name]: 'x' })).toBe(`must not contain ${name.toLowerCase()}`);
  });

  it.each<[string, unknown, string]>([
    ['a line break', { 'x-a': 'v\r\nHost: evil' }, value],
    ['a line break in a name', { 'x-a\r\nhost': 'v' }, name],
    ['a control character', { 'x-a': 'v\0' }, value],
    ['a space at the end', { 'x-a': 'v ' }, value],
    ['another script', { 'x-a': 'ä' }, value],
    ['a pseudo-header', { ':authority': 'evil' }, name],
    ['an empty name', { '': 'v' }, name],
    ['a long name', { ['x'.repeat(65)]: 'v' }, name],
    ['a long value', { 'x-a': 'v'.repeat(1025) }, value],
    ['a value that is no text', { 'x-a': 7 }, value],
    ['the same name twice', { 'X-A': '1', 'x-a': '2' }, 'names x-a twice'],
    ['too many', many(21), 'must hold at most 20 headers'],
    ['too much', { ...many(4, 'v'.repeat(1_020)), a: '' }, 'must have at most 4096 characters in all'],
    ['a list', ['x-a'], 'must be an object'],
    ['nothing', null, 'must be an object'],
  ])('refuse %s', (_what, headers, problem) => {
    expect(checkCallbackHeaders(headers)).toBe(problem);
  });
});
