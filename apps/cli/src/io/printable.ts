/** C0 and C1 controls, line separators, and marks that change the direction of text. */
const unsafe = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g; // oxlint-disable-line no-control-regex

const names: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * A text for a terminal, on one line. Names, payloads and errors come from others and could hold escape sequences, which would
 * change what the operator sees.
 */
export const printable = (text: string): string =>
  text.replace(unsafe, (char) => names[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
