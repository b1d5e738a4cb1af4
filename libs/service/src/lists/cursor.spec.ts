import { countTimeAndId, encodeCursor, idOnly, nameOnly, sortKeyAndId, timeAndId } from './cursor.js';

const at = '2026-11-21T10:00:00.123456Z';
const id = '019aa0e8-0000-7000-8000-000000000000';
const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a cursor', () => {
  it('decodes to its position, to the microsecond', () => {
    expect(timeAndId(encodeCursor([at, id]))).toEqual({ at, id });
    expect(idOnly(encodeCursor([id]))).toBe(id);
    expect(nameOnly(encodeCursor(['Müller & co']))).toBe('Müller & co');
    expect(sortKeyAndId(encodeCursor(['a name', id]), false)).toEqual({ key: 'a name', id });
  });

  it('is absent on the first page', () => {
    for (const first of ['', undefined])
      expect([timeAndId(first), idOnly(first), nameOnly(first)]).toEqual([null, null, null]);
  });

  it.each([
    'x',
    '%%%',
    'é\0',
    text([at]),
    text([id, at]),
    text(['2026-13-45T10:00:00Z', id]),
    text({ at, id }),
    text(7),
  ])('is rejected when invalid: %j', (cursor) => expect(() => timeAndId(cursor)).toThrow('cursor'));

  it('has a count of at most 15 digits where the list is ordered by one', () => {
    const of = (count: string) => countTimeAndId(encodeCursor([count, at, id]));
    expect(of('999999999999999')).toEqual({ count: 999_999_999_999_999, at, id });
    expect([of('7'), countTimeAndId('')]).toEqual([{ count: 7, at, id }, null]);
    for (const wrong of ['', 'x', '-1', '1x', '1.5', 'x1', '1'.repeat(16)]) expect(() => of(wrong)).toThrow('cursor');
    expect(() => countTimeAndId(encodeCursor([at, id]))).toThrow('cursor');
  });

  it('is named in the error by its parameter', () => {
    expect(() => timeAndId('x')).toThrow(expect.objectContaining({ details: { cursor: expect.any(String) } }));
    expect(() => timeAndId('x', 'after')).toThrow(expect.objectContaining({ details: { after: expect.any(String) } }));
  });

  it('is rejected when it belongs to another list', () => {
    expect(() => idOnly(encodeCursor([at, id]))).toThrow('cursor');
    expect(() => nameOnly(encodeCursor(['\0']))).toThrow('cursor');
    expect(() => sortKeyAndId(encodeCursor(['a name', id]), true)).toThrow('cursor');
  });
});
