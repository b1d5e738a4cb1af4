import type { JsonText } from '@spooled/contracts';

/** Escapes that PostgreSQL's JSON functions reject even in values they only copy: NUL and unpaired surrogates. */
const unreadable = /\\u(?:0000|d[89a-f])/i;

/**
 * A member of a batch's JSON with a caller's document unchanged, without another parse. A document with escapes that
 * PostgreSQL rejects is sent in base64, with `_base64` appended to the name.
 */
export const memberOf = (name: string, document: JsonText): string =>
  unreadable.test(document)
    ? `"${name}_base64":"${Buffer.from(document).toString('base64')}"`
    : `"${name}":${document}`;
