import { UsageError } from '../errors.js';
import { utf8Of } from '../io/input.js';

export interface Line {
  /** From 1. */
  number: number;
  text: string;
}

/**
 * The lines of a stream that are not blank, read as they are needed.
 * @throws UsageError for one longer than `longest` bytes, and for one that is no UTF-8
 */
export async function* linesOf(input: AsyncIterable<string | Buffer>, longest: number): AsyncGenerator<Line> {
  let number = 0;
  let rest: Buffer[] = [];
  let length = 0;
  const take = (end: Buffer): Line => {
    const text = utf8Of(`Line ${++number}`, Buffer.concat([...rest, end])).replace(/\r$/, '');
    rest = [];
    length = 0;
    return { number, text };
  };
  for await (const piece of input) {
    let chunk = Buffer.from(piece);
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10)) {
      const line = take(chunk.subarray(0, at));
      if (line.text.trim() !== '') yield line;
      chunk = chunk.subarray(at + 1);
    }
    length += chunk.length;
    if (length > longest) throw new UsageError(`Line ${number + 1} is longer than ${longest} bytes`);
    rest.push(chunk);
  }
  const last = take(Buffer.alloc(0));
  if (last.text.trim() !== '') yield last;
}
