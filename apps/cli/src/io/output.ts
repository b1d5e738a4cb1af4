import { once } from 'node:events';
import { styleText } from 'node:util';
import { toWire, writeJson } from '@spooled/sdk/internal';
import type { Io } from './io.js';
import { printable, printableJson } from './printable.js';
import { cell, type Columns, headingLine, rowLine, type Style, widthsOf } from './table.js';

export const formats = ['table', 'json', 'jsonl'] as const;
export type Format = (typeof formats)[number];

/** How much it matters: good, of interest, bad. */
export type Tone = 'green' | 'yellow' | 'red' | 'dim' | 'bold';

type Pages<T> = AsyncIterable<T[]> | Iterable<T[]>;

/** Writes results to standard output in the wanted format, and everything else to standard error. JSON has the names of the API. */
export class Output {
  private readonly coloured: boolean;

  constructor(
    private readonly io: Io,
    readonly format: Format,
  ) {
    this.coloured = format === 'table' && io.stdout.isTTY === true && !io.env.NO_COLOR && io.env.TERM !== 'dumb';
  }

  /** Rows page by page, as they arrive: a JSON array, a line of JSON each, or a table as wide as its first page needs. */
  async list<T>(pages: Pages<T>, columns: Columns<T>): Promise<void> {
    if (this.format === 'jsonl') for await (const page of pages) for (const row of page) await this.line(json(row));
    else if (this.format === 'json') await this.array(pages);
    else await this.table(pages, columns);
  }

  rows<T>(rows: T[], columns: Columns<T>): Promise<void> {
    return this.list([rows], columns);
  }

  /** One object: fields on lines of their own, or the whole object as JSON. */
  async item(value: object, fields: object = value, styles: Record<string, Style> = {}): Promise<void> {
    if (this.format !== 'table') return this.value(value);
    const width = Math.max(...Object.keys(fields).map((name) => name.length));
    for (const [name, each] of Object.entries(fields)) {
      const text = cell(each);
      await this.line(`${name.padEnd(width)}  ${styles[name]?.(text) ?? text}`);
    }
  }

  /** An object that a table cannot show: these lines, or the object as JSON. */
  async drawing(value: object, lines: string[]): Promise<void> {
    if (this.format !== 'table') return this.value(value);
    for (const each of lines) await this.line(each);
  }

  /** One line that is data in every format, such as an event of a stream. */
  event(value: object, text: string): Promise<void> {
    return this.line(this.format === 'table' ? text : json(value));
  }

  /** The object as a line of JSON, in every format. */
  jsonLine(value: object): Promise<void> {
    return this.line(json(value));
  }

  /** The object as JSON. */
  value(value: unknown): Promise<void> {
    return this.line(this.format === 'jsonl' ? json(value) : indented(value));
  }

  async line(text: string): Promise<void> {
    if (!this.io.stdout.write(`${text}\n`)) await once(this.io.stdout, 'drain', { signal: this.io.signal });
  }

  /** For people: never part of the result. */
  note(text: string): void {
    this.io.stderr.write(`${printable(text)}\n`);
  }

  tone(tone: Tone, text: string): string {
    return this.coloured ? styleText(tone, text, { validateStream: false }) : text;
  }

  private async array<T>(pages: Pages<T>): Promise<void> {
    let isFirst = true;
    for await (const page of pages) {
      for (const row of page) {
        await this.line(`${isFirst ? '[\n' : ','}${indented(row)}`);
        isFirst = false;
      }
    }
    await this.line(isFirst ? '[]' : ']');
  }

  private async table<T>(pages: Pages<T>, columns: Columns<T>): Promise<void> {
    let widths: number[] | undefined;
    for await (const page of pages) {
      if (page.length === 0) continue;
      if (!widths) {
        widths = widthsOf(columns, page);
        await this.line(this.tone('bold', headingLine(columns, widths)));
      }
      for (const row of page) await this.line(rowLine(columns, widths, row));
    }
    if (!widths) this.note('Nothing found.');
  }
}

const json = (value: unknown): string => printableJson(writeJson(toWire(value)));

const indented = (value: unknown): string => printableJson(writeJson(toWire(value), 2));
