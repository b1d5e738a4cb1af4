import fc from 'fast-check';
import { scanJson } from './json-scan.js';
import { requestLimits } from './limits.js';

const { depth, numberLength, values, distinctMembers } = requestLimits;
const scan = (json: string) => scanJson(Buffer.from(json)).problem;
const list = (count: number, each: (i: number) => string) => `[${Array.from({ length: count }, (_, i) => each(i))}]`;
const object = (count: number, each: (i: number) => string) => `{${Array.from({ length: count }, (_, i) => each(i))}}`;

describe('JSON that costs too much to parse', () => {
  it.each<[string, (size: number) => string, number, RegExp]>([
    ['levels', (size) => '['.repeat(size) + ']'.repeat(size), depth, /deeper than 500 levels/],
    ['levels of objects', (size) => '{"a":'.repeat(size - 1) + '{}' + '}'.repeat(size - 1), depth, /deeper than/],
    ['digits', (size) => `{"at":1${'0'.repeat(size - 1)}}`, numberLength, /number of more than 400 characters/],
    ['elements', (size) => list(size, () => '1'), values, /more than 250000 members and elements/],
    ['empty objects', (size) => list(size, () => '{}'), values, /more than 250000 members and elements/],
    [
      'members of a large object',
      (size) => object(size, (i) => `"k${i}":1`),
      distinctMembers,
      /25000 members in objects/,
    ],
    ['objects that differ', (size) => list(size, (i) => `{"k${i}":1}`), distinctMembers, /25000 members in objects/],
  ])('are refused by the first beyond the limit: %s', (_what, jsonOf, limit, reason) => {
    expect(scan(jsonOf(limit))).toBeNull();
    // Two names in a million share a bit of the filter, which counts them as one.
    expect(scan(jsonOf(Math.ceil(limit * (limit === distinctMembers ? 1.03 : 1)) + 1))).toMatch(reason);
  });

  it('finds the same members in another order, one at a time, to be different', () => {
    const inOrder = (i: number) => {
      const [left, members] = [['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'], [] as string[]];
      for (let rest = i; left.length > 0; rest = Math.floor(rest / (left.length + 1))) {
        members.push(`"${left.splice(rest % left.length, 1)[0]!}":1`);
      }
      return `{${members.join()}}`;
    };
    expect(scan(list(20_000, inOrder))).toMatch(/differ from one another/);
    expect(scan(list(20_000, () => inOrder(7)))).toBeNull();
  });

  it('lets records of one kind through up to the full number of values, however long their texts are', () => {
    const record = (i: number) =>
      JSON.stringify({ id: i, name: `user ${i}`, tags: [`a${i}`], note: '[{"x":1},{'.repeat(5) });
    expect(scan(list(30_000, record))).toBeNull();
  });

  it('never minds what stands in texts, also behind escapes', () => {
    const text = JSON.stringify('\\"[[[{{{,,,:::\u0001\n'.repeat(60_000));
    expect(scan(`[${text},{"a":${text}}]`)).toBeNull();
    expect(scan(`"${'9'.repeat(500_000)}"`)).toBeNull();
    expect(scan(`"${'9'.repeat(1_000)}`)).toBeNull();
  });

  it('finds the end of every text, wherever it stands', () => {
    const deep = '['.repeat(depth + 1);
    const texts = fc.string({ unit: fc.constantFrom('\\', '"', 'a', 'é'), maxLength: 300 });
    const blanks = fc.nat(70);
    const isFound = (text: string, before: number) => {
      const json = `[${' '.repeat(16_320 + before)}${JSON.stringify(text)}`;
      expect(scan(`${json},${deep}`)).toMatch(/deeper than/);
      expect(scan(`${json},{${JSON.stringify(text)}:${JSON.stringify(deep)}}]`)).toBeNull();
    };
    fc.assert(fc.property(texts, blanks, isFound));
  });

  it('reads a number as one, wherever it stands', () => {
    for (let before = 15_900; before < 16_500; before += 7) {
      const json = (digits: number) => `[${' '.repeat(before)}${'1'.repeat(digits)}]`;
      expect(scan(json(numberLength))).toBeNull();
      expect(scan(json(numberLength + 1))).toMatch(/number of more than/);
    }
  });

  it('leaves to the parser what closes more than was opened', () => {
    expect(scan(']'.repeat(1_000) + '['.repeat(1_000))).toBeNull();
  });

  it('passes every small document, and blanks between its parts', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => expect(scan(JSON.stringify(value, null, 9))).toBeNull()));
  });
});
