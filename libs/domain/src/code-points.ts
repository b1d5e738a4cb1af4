/** Whether a text has at most this many code points: an emoji counts as one, as in PostgreSQL and in JSON Schema. */
export function hasAtMost(text: string, codePoints: number): boolean {
  if (text.length <= codePoints) return true;
  // No code point takes more than two units.
  if (text.length > 2 * codePoints) return false;
  let count = 0;
  for (const _ of text) if (++count > codePoints) return false;
  return true;
}

/** The beginning of a text, without splitting a code point. */
export function firstCodePoints(text: string, codePoints: number): string {
  if (text.length <= codePoints) return text;
  let end = 0;
  for (let count = 0; count < codePoints && end < text.length; count++) end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  return text.slice(0, end);
}
