import { findCredential } from './find-credential.js';

describe('findCredential', () => {
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
  ])('returns for the headers %j: %s', (headers, expected) => {
    expect(findCredential({ headers })).toBe(expected);
  });

  it('reads X-API-Key first for protocols that require it', () => {
    const headers = { authorization: 'Bearer second', 'x-api-key': 'first' };
    expect(findCredential({ headers, first: 'x-api-key' })).toBe('first');
    expect(findCredential({ headers: { authorization: 'Bearer second' }, first: 'x-api-key' })).toBe('second');
  });

  it('reads the query after the headers', () => {
    expect(findCredential({ headers: {}, query })).toBe('of-query');
    expect(findCredential({ headers: {}, query: new URLSearchParams('api_key=key') })).toBe('key');
    expect(findCredential({ headers: { 'x-api-key': 'key' }, query })).toBe('key');
    expect(findCredential({ headers: { authorization: 'invalid' }, query })).toBeUndefined();
  });
});
