/**
 * What JSON may hold unescaped and a reader does not see: DEL and C1 controls, line separators, marks that change the direction of
 * text, characters without width, and tags, which only models read. Emoji and several scripts need U+200C and U+200D.
 */
const unsafeInJson =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;
/** These and C0 controls. */
const unsafe = new RegExp(`[\\u0000-\\u001f]|${unsafeInJson.source}`, 'g');

const names: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Of each code unit, as JSON writes it. */
const escaped = (text: string): string =>
  Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');

/**
 * A text for a terminal, on one line. Names, payloads and errors come from others and could hold escape sequences, which would
 * change what the operator sees. What is printable already stays as it is.
 */
export const printable = (text: string): string => text.replace(unsafe, (found) => names[found] ?? escaped(found));

/** JSON for a terminal: the same value, with escapes for what `JSON.stringify` leaves as it is. */
export const printableJson = (json: string): string => json.replace(unsafeInJson, escaped);
