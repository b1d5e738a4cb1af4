import fc from 'fast-check';
import { elementTexts, exactDocument, keepExactDocuments, restDocuments } from './exact-documents.js';
import { JsonDocument } from './json-document.js';
import { scanJson } from './json-scan.js';

const documentOf = (text: string) => exactDocument(text, JSON.parse(text));
const bodyOf = (text: string) => {
  const body = JSON.parse(text) as Record<string, unknown>;
  keepExactDocuments(text, body, restDocuments);
  return body;
};
const isNoticed = (text: string) => scanJson(Buffer.from(text)).hasInexactNumbers;

/** Numbers that `JSON.stringify` writes differently, or rounds. */
const inexact = [
  '9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
  '9223372036854775808',
  '0.1000000000000000055511151231257827',
  '1.0',
  '-0',
  '1E5',
  '2.50e-7',
];
const exact = ['0', '-1', '0.1', '1.5', '10', '100', '123456789012345'];

describe('numbers of a document', () => {
  it.each(inexact)('BX-13 %s keeps its digits, wherever it stands', (number) => {
    for (const text of [number, `[${number}]`, `{"a":${number}}`, `[{"a":[1,${number}]},"${number}"]`]) {
      expect(isNoticed(text)).toBe(true);
      const document = documentOf(text);
      expect([document.text, document.isAsParsed, document.problem]).toEqual([text, false, null]);
      expect(document.value).toEqual(JSON.parse(text));
    }
  });

  it.each(exact)('%s needs no second reading', (number) => {
    expect(isNoticed(`{"a":[${number},"${number}"],"b":${number}}`)).toBe(false);
    expect(documentOf(`[${number}]`).isAsParsed).toBe(true);
  });

  it('looks at numbers only, not at what resembles them in strings', () => {
    expect(isNoticed('["9007199254740993",{"1E5":"-0"},"a\\"1.0"]')).toBe(false);
  });

  it.each(['1e400', '-1e400', '1e-400', '9'.repeat(310), '[{"a":1e309}]'])('%s is refused', (text) => {
    expect(documentOf(text).problem).toBe('must not hold a number beyond the range of a double');
  });

  it('tells how much longer a text becomes without exponents', () => {
    expect(documentOf('[1e300,1E-200,10]').expansion).toBe(500);
  });

  it('BX-13 changes nothing but blanks of any document', () => {
    const numbers = fc.constantFrom(...inexact, ...exact);
    const strings = fc
      .string({ unit: fc.constantFrom('\\', '"', 'a', 'é', ' ', '\u{1f600}', '\0', '1e9'), maxLength: 9 })
      .map((text) => JSON.stringify(text));
    const { document } = fc.letrec<{ document: string }>((tie) => ({
      document: fc.oneof(
        { depthSize: 'small' },
        numbers,
        strings,
        fc.constantFrom('true', 'null', '[]', '{}'),
        fc.array(tie('document'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
        fc
          .array(fc.tuple(strings, tie('document')), { maxLength: 4 })
          .map((members) => `{${members.map(([name, value]) => `${name}:${value}`).join(',')}}`),
      ),
    }));
    const spaced = (text: string) => text.replace(/"(?:[^"\\]|\\.)*"|[[\]{},:]/g, (part) => ` ${part}\n\t`);
    fc.assert(
      fc.property(document, (text) => {
        const found = documentOf(spaced(text));
        expect(found.isAsParsed || found.text === text).toBe(true);
        if (found.isAsParsed) expect(JSON.parse(found.text)).toEqual(JSON.parse(text));
        expect(elementTexts(`[${spaced(text)} , ${text}]`).map((each) => JSON.parse(each) as unknown)).toEqual([
          JSON.parse(text),
          JSON.parse(text),
        ]);
      }),
    );
  });
});

describe('documents of a body', () => {
  it('are replaced only where their numbers need it', () => {
    const body = bodyOf('{"queue_name":"q","priority":1.0,"payload":{"id":9007199254740993},"tags":["a"]}');
    expect(body).toEqual({ queue_name: 'q', priority: 1, payload: expect.any(JsonDocument), tags: ['a'] });
    expect((body.payload as JsonDocument).text).toBe('{"id":9007199254740993}');
  });

  it('are found in the jobs of a body', () => {
    const { jobs } = bodyOf('{"jobs":[{"payload":1.0},{"payload":2,"tags":[9007199254740993]},3]}') as {
      jobs: [{ payload: JsonDocument }, { payload: unknown; tags: JsonDocument }, number];
    };
    expect([jobs[0].payload.text, jobs[1].payload, jobs[1].tags.text]).toEqual(['1.0', 2, '[9007199254740993]']);
  });

  it('count only once if a member occurs twice, as the parser counts them', () => {
    expect(bodyOf('{"payload":9007199254740993,"payload":7}')).toEqual({ payload: 7 });
    const { payload } = bodyOf('{"payload":7,"p\\u0061yload":1.0}');
    expect((payload as JsonDocument).text).toBe('1.0');
    const twice = bodyOf('{"jobs":[{"payload":1.0,"tags":1.0}],"jobs":[{"payload":2}]}');
    expect(twice).toEqual({ jobs: [{ payload: 2 }] });
  });

  it('may be missing, and bodies may be of any kind', () => {
    for (const text of ['1.0', '[1.0]', '{}', '{"jobs":1.0}', '{"jobs":{"payload":1.0}}', '"1.0"']) {
      expect(bodyOf(text)).toEqual(JSON.parse(text));
    }
  });
});
