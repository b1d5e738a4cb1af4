import { type Members, NumberText } from './exact-json.js';

/** Longer numbers are not written out: nobody compares with them. */
const mostDigits = 1_000;

/** A value of `readExact` as PostgreSQL shows a member of `jsonb` (`->>`): a text as it is, null as nothing. */
export const memberText = (value: unknown): string | null =>
  value === null ? null : typeof value === 'string' ? value : jsonbText(value);

function jsonbText(value: unknown): string {
  if (value instanceof NumberText) return numericText(value.text);
  if (Array.isArray(value)) return `[${value.map(jsonbText).join(', ')}]`;
  if (!(value instanceof Map)) return JSON.stringify(value);
  const members = Array.from(value as Members).toSorted(([one], [other]) => inOrder(one, other));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}: ${jsonbText(member)}`).join(', ')}}`;
}

/** `jsonb` keeps short names first. */
function inOrder(one: string, other: string): number {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length - b.length || Buffer.compare(a, b);
}

/** Without an exponent, and with the decimals that were written. */
function numericText(text: string): string {
  const [, sign, whole, decimals = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text)!;
  const scale = decimals.length - Number(exponent);
  if (Math.abs(scale) > mostDigits) return text;
  const digits = `${whole}${decimals}${'0'.repeat(Math.max(0, -scale))}`.padStart(scale + 1, '0');
  const end = digits.length - Math.max(0, scale);
  const number = `${digits.slice(0, end).replace(/^0+(?=.)/, '')}${scale > 0 ? `.${digits.slice(end)}` : ''}`;
  return /[1-9]/.test(number) ? `${sign}${number}` : number;
}
