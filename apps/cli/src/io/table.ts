import { printable } from './printable.js';

/** A column of a table: its heading and the text of a row. */
export type Column<T> = [heading: string, text: (row: T) => unknown, style?: (text: string) => string];

/** Longer texts are cut, except in the last column. */
const widestCell = 60;

/** How wide each column is for the rows that are known. */
export function widthsOf<T>(columns: Column<T>[], rows: T[]): number[] {
  return columns.map(([heading, text]) =>
    Math.max(heading.length, ...rows.map((row) => Math.min(lengthOf(cell(text(row))), widestCell))),
  );
}

export const headingLine = <T>(columns: Column<T>[], widths: number[]): string =>
  columns
    .map(([heading], i) => heading.toUpperCase().padEnd(widths[i]!))
    .join('  ')
    .trimEnd();

/** A row as one line; the last column is as long as its text. */
export function rowLine<T>(columns: Column<T>[], widths: number[], row: T): string {
  const cells = columns.map(([, text, style], i) => {
    const isLast = i === columns.length - 1;
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

const lengthOf = (text: string): number => [...text].length;

const cut = (text: string, length: number): string =>
  lengthOf(text) > length ? `${[...text].slice(0, length - 1).join('')}…` : text;
