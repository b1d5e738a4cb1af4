/** DEL and C1 controls, line separators, and marks that change the direction of text: what JSON may hold unescaped. */
const unsafeInJson = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
/** These and C0 controls. */
const unsafe = new RegExp(`[\\u0000-\\u001f]|${unsafeInJson.source}`, 'g');

const names: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * A text for a terminal, on one line. Names, payloads and errors come from others and could hold escape sequences, which would
 * change what the operator sees.
 */
export const printable = (text: string): string => text.replace(unsafe, (char) => names[char] ?? escaped(char));

/** JSON for a terminal: the same value, with escapes for what `JSON.stringify` leaves as it is. */
export const printableJson = (json: string): string => json.replace(unsafeInJson, escaped);
