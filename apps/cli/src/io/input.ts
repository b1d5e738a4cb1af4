import { createReadStream, readFileSync } from 'node:fs';
import { addAbortSignal, type Readable } from 'node:stream';
import { parseJson } from '@spooled/sdk/internal';
import { UsageError } from '../errors.js';
import type { Io } from './io.js';

/** A file, or standard input for `-`. Reading ends with the command, also while nothing comes. */
export const openInput = ({ stdin, signal }: Io, file: string): Readable =>
  file === '-' ? addAbortSignal(signal, stdin as Readable) : createReadStream(file, { signal });

/** The whole text of a file, or of standard input for `-`. @throws UsageError */
export const readInput = async (io: Io, file: string): Promise<string> => utf8Of(file, await readBytes(io, file));

async function readBytes(io: Io, file: string): Promise<Buffer> {
  try {
    if (file !== '-') return readFileSync(file);
    const chunks: Buffer[] = [];
    for await (const chunk of openInput(io, '-')) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks);
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The text of bytes, without a byte order mark. Other encodings are refused: decoding them would replace characters without a word.
 * @param name what is read, for the error. @throws UsageError
 */
export function utf8Of(name: string, bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new UsageError(`${name} is no UTF-8`);
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
