import { findCredential } from './find-credential.js';

describe('the credential of a request', () => {
  const query = new URLSearchParams('token=of-query&api_key=key-of-query');

  it.each([
    [{ authorization: 'Bearer key' }, 'key'],
    [{ authorization: ' bearer   key ' }, 'key'],
    [{ 'x-api-key': ' key ' }, 'key'],
    [{ authorization: 'Bearer first', 'x-api-key': 'second' }, 'first'],
    [{ authorization: 'Basic abc', 'x-api-key': 'key' }, undefined],
    [{ 'x-api-key': ['one', 'two'] }, undefined],
    [{ 'x-api-key': '' }, undefined],
    [{}, undefined],
  ])('in the headers %j is %s', (headers, expected) => {
    expect(findCredential({ headers })).toBe(expected);
  });

  it('is looked for in X-API-Key first where the protocol says so', () => {
    const headers = { authorization: 'Bearer second', 'x-api-key': 'first' };
    expect(findCredential({ headers, first: 'x-api-key' })).toBe('first');
    expect(findCredential({ headers: { authorization: 'Bearer second' }, first: 'x-api-key' })).toBe('second');
  });

  it('may stand in the query, after the headers', () => {
    expect(findCredential({ headers: {}, query })).toBe('of-query');
    expect(findCredential({ headers: {}, query: new URLSearchParams('api_key=key') })).toBe('key');
    expect(findCredential({ headers: { 'x-api-key': 'key' }, query })).toBe('key');
    expect(findCredential({ headers: { authorization: 'nonsense' }, query })).toBeUndefined();
  });
});
