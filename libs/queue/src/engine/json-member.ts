import type { JsonText } from '@spooled/contracts';

/**
 * A member of a batch's JSON that holds a caller's document as it is, without another parse. PostgreSQL's functions stop at
 * \\u0000 even where they only pass it on; a document that holds it travels in base64, under the name with a `b` behind.
 */
export const memberOf = (name: string, document: JsonText): string =>
  document.includes('\\u0000') ? `"${name}b":"${Buffer.from(document).toString('base64')}"` : `"${name}":${document}`;
