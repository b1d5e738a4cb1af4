import fc from 'fast-check';
import { mergePatch } from './merge-patch.js';

describe('a JSON Merge Patch', () => {
  // The examples of RFC 7396, appendix A.
  it.each([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ])('BX-06 of %s with %s is %s', (document, patch, expected) => {
    expect(mergePatch(document, patch)).toBe(expected);
  });

  it('BX-13 keeps the digits of every number, and members with unusual names', () => {
    const document = '{"id":9007199254740993,"1":1e400,"b":[-0,1.10],"__proto__":{"x":1},"nul":"\\u0000"}';
    expect(mergePatch(document, '{"amount":12345678901234567890.10,"__proto__":{"y":2}}')).toBe(
      '{"1":1e400,"id":9007199254740993,"b":[-0,1.10],"__proto__":{"x":1,"y":2},"nul":"\\u0000","amount":12345678901234567890.10}',
    );
  });

  it('BX-06 changes nothing when it is empty, and nothing more when it is applied twice', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (document, patch) => {
        const [text, patchText] = [JSON.stringify(document), JSON.stringify(patch)];
        expect(JSON.parse(mergePatch(text, '{}'))).toEqual(JSON.parse(text));
        const once = mergePatch(text, patchText);
        // Members that look like array indexes may change places.
        expect(JSON.parse(mergePatch(once, patchText))).toEqual(JSON.parse(once));
      }),
    );
  });
});
