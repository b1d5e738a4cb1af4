import { memberOf } from './json-member.js';

describe('a document in the JSON of a batch', () => {
  it.each(['{"b":1,  "a":1.0}', '"\\u00e9 \\u1000 \\uabcd \\ud7ff \\ue000"', '"\\\\d800"', 'null'])(
    'is copied as it was sent: %s',
    (document) => {
      expect(memberOf('payload', document)).toBe(`"payload":${document}`);
    },
  );

  it.each(['"\\u0000"', '"a\\ud800"', '"\\uD83D\\uDE00"', '"\\udfff"'])(
    'is sent in base64 with an escape that PostgreSQL rejects: %s',
    (document) => {
      const member = JSON.parse(`{${memberOf('result', document)}}`) as Record<string, string>;
      expect(Object.keys(member)).toEqual(['result_base64']);
      expect(Buffer.from(member.result_base64!, 'base64').toString()).toBe(document);
    },
  );
});
