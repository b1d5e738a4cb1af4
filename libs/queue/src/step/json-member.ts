import type { JsonText } from '@spooled/contracts';

/** Escapes over which PostgreSQL's JSON functions stop even where they only pass a value on: NUL, and half a surrogate pair. */
const unreadable = /\\u(?:0000|d[89a-f])/i;

/**
 * A member of a batch's JSON that holds a caller's document as it is, without another parse. A document with escapes that
 * PostgreSQL cannot read over travels in base64, under the name with `_base64` behind.
 */
export const memberOf = (name: string, document: JsonText): string =>
  unreadable.test(document)
    ? `"${name}_base64":"${Buffer.from(document).toString('base64')}"`
    : `"${name}":${document}`;
