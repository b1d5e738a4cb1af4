import { createReadStream, readFileSync } from 'node:fs';
import { parseJson } from '@spooled/sdk/internal';
import { UsageError } from '../errors.js';
import type { Io } from './io.js';

/** A file, or standard input for `-`. */
export const openInput = (io: Io, file: string): NodeJS.ReadableStream =>
  file === '-' ? io.stdin : createReadStream(file);

/** The whole text of a file, or of standard input for `-`. @throws UsageError */
export async function readInput(io: Io, file: string): Promise<string> {
  try {
    if (file !== '-') return readFileSync(file, 'utf8');
    const chunks: Buffer[] = [];
    for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString('utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** JSON with all digits of large integers. @param name what is parsed, for the error. @throws UsageError */
export function jsonOf(name: string, text: string): unknown {
  try {
    return parseJson(text, 'bigint');
  } catch (error) {
    throw new UsageError(`${name} is no valid JSON: ${(error as Error).message}`);
  }
}
