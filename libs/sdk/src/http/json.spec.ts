import { parseJson, writeJson } from './json.js';

describe('JSON of the SDK', () => {
  it('BX-13 reads integers that a double cannot hold as BigInts, and writes them back digit for digit', () => {
    const text =
      '{"id":9007199254740993,"list":[-9223372036854775808,1.5,7,12345678901234567.5],"at":"9007199254740993"}';
    const value = parseJson(text, 'bigint');
    expect(value).toEqual({
      id: 9007199254740993n,
      list: [-9223372036854775808n, 1.5, 7, 12345678901234568],
      at: '9007199254740993',
    });
    expect(writeJson({ id: 9007199254740993n, list: [1n, 2] })).toBe('{"id":9007199254740993,"list":[1,2]}');
  });

  it('reads all numbers as doubles if asked to', () => {
    expect(parseJson('[9007199254740993]', 'number')).toEqual([9007199254740992]);
  });
});
