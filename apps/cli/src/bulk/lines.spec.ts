import { linesOf, type Line } from './lines.js';

async function linesIn(...pieces: Buffer[]): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of linesOf(pieces as unknown as AsyncIterable<Buffer>, 1_000)) lines.push(line);
  return lines;
}

describe('BX-17 lines of a file', () => {
  it('are read across pieces, also in the middle of a character', async () => {
    const bytes = Buffer.from('{"a":"ü"}\r\n\n  \n{"b":"注"}');
    const expected = [
      { number: 1, text: '{"a":"ü"}' },
      { number: 4, text: '{"b":"注"}' },
    ];
    expect(await linesIn(bytes)).toEqual(expected);
    expect(await linesIn(...Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(expected);
  });

  it('may begin with a byte order mark, as some editors write it', async () => {
    expect(await linesIn(Buffer.from('\ufeff{"a":1}\n{"b":2}'))).toEqual([
      { number: 1, text: '{"a":1}' },
      { number: 2, text: '{"b":2}' },
    ]);
  });

  it('are refused in another encoding, which would change texts without a word', async () => {
    const latin1 = Buffer.from('{"a":1}\n{"name":"M\xfcller"}\n', 'latin1');
    await expect(linesIn(latin1)).rejects.toThrow('Line 2 is no UTF-8');
    await expect(linesIn(Buffer.from('\ufeff{"a":1}', 'utf16le'))).rejects.toThrow('Line 1 is no UTF-8');
  });
});
