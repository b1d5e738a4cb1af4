import { printable } from './printable.js';

/** How a text looks. */
export type Style = (text: string) => string;

interface Column<T> {
  text: (row: T) => unknown;
  style?: Style;
}

/** Columns of a table by their headings: a member of the row, or a text of it. */
export type Columns<T> = Record<string, (keyof T & string) | Column<T>['text'] | Column<T>>;

function columnOf<T>(column: Columns<T>[string]): Column<T> {
  if (typeof column === 'string') return { text: (row) => row[column] };
  return typeof column === 'function' ? { text: column } : column;
}

/** Longer texts are cut, except in the last column. */
const widestCell = 60;

/** How wide each column is for the rows that are known. */
export function widthsOf<T>(columns: Columns<T>, rows: T[]): number[] {
  return Object.entries(columns).map(([heading, column]) => {
    const { text } = columnOf(column);
    return Math.max(heading.length, ...rows.map((row) => Math.min(lengthOf(cell(text(row))), widestCell)));
  });
}

export const headingLine = <T>(columns: Columns<T>, widths: number[]): string =>
  Object.keys(columns)
    .map((heading, i) => heading.toUpperCase().padEnd(widths[i]!))
    .join('  ')
    .trimEnd();

/** A row as one line; the last column is as long as its text. */
export function rowLine<T>(columns: Columns<T>, widths: number[], row: T): string {
  const cells = Object.values(columns).map((column, i, all) => {
    const { text, style } = columnOf(column);
    const isLast = i === all.length - 1;
    const shown = isLast ? cell(text(row)) : cut(cell(text(row)), widestCell);
    const padding = isLast ? '' : ' '.repeat(Math.max(0, widths[i]! - lengthOf(shown)));
    return (style?.(shown) ?? shown) + padding;
  });
  return cells.join('  ').trimEnd();
}

/** A value as a cell: `-` for nothing, times without fractions of seconds, JSON for what has members. */
export function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'string') return printable(value.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z$/, '$1Z'));
  if (typeof value === 'object') return printable(JSON.stringify(value, (_, each: unknown) => plain(each)));
  return String(value);
}

const plain = (value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

/** Marks above or below the character before them, and what joins emoji. */
const withoutWidth = /[\p{Mn}\p{Me}\u200c\u200d]/u;
/** Scripts of East Asia, and emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;

const widthOf = (char: string): number => (withoutWidth.test(char) ? 0 : wide.test(char) ? 2 : 1);

/** Columns of a terminal that a text takes. */
const lengthOf = (text: string): number => {
  let length = 0;
  for (const char of text) length += widthOf(char);
  return length;
};

function cut(text: string, length: number): string {
  if (lengthOf(text) <= length) return text;
  let shown = '';
  let left = length - 1;
  for (const char of text) {
    left -= widthOf(char);
    if (left < 0) break;
    shown += char;
  }
  return `${shown}…`;
}
