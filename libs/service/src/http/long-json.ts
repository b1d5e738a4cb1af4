import { parseJsonText, type ReadJson, readShortJson, requireParsable } from '@spooled/contracts';
import { nextTurn } from '@spooled/platform';

/** Bodies of at least this length are read in several turns of the event loop; shorter ones take less than 2 ms. */
export const longBodyBytes = 128 * 1024;

/**
 * Reads a JSON body. Checking, decoding and parsing 5 MB take up to 40 ms each, so each runs in its own turn of the event loop; the
 * caller continues in another one.
 * @throws SpooledError 400 INVALID_JSON
 */
export async function readJson(body: Buffer): Promise<ReadJson> {
  if (body.length < longBodyBytes) return readShortJson(body);
  await nextTurn();
  const { hasInexactNumbers } = requireParsable(body);
  await nextTurn();
  const text = body.toString('utf8');
  await nextTurn();
  const value = parseJsonText(text);
  await nextTurn();
  return { text, value, hasInexactNumbers };
}
