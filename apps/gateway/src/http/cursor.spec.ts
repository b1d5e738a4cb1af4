import { encodeCursor, timeAndId } from './cursor.js';

describe('a cursor', () => {
  const position = { createdAt: '2026-11-21T10:00:00.123456Z', id: '019aa0e8-0000-7000-8000-000000000000' };

  it('decodes to its position, to the microsecond', () => {
    expect(timeAndId(encodeCursor([position.createdAt, position.id]))).toEqual(position);
    expect(timeAndId('')).toBeNull();
    expect(timeAndId(undefined)).toBeNull();
  });

  it.each(['x', '%%%', Buffer.from('2026-13-45T10:00:00Z x').toString('base64url'), 'é\0'])(
    'is rejected when invalid: %j',
    (text) => expect(() => timeAndId(text)).toThrow('cursor'),
  );
});
