/** A table formatted as the formatter does: padded cells, all columns but the first aligned right. */
export function table(rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(3, ...rows.map((row) => row[column]!.length)));
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  const padded = rows.map((row) =>
    line(row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))),
  );
  const rule = line(widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)));
  return [padded[0], rule, ...padded.slice(1)].join('\n');
}

const start = (name: string): string => `<!-- capacity: ${name} -->`;
const end = '<!-- end -->';

/** Inserts each text between the markers with its name. @throws Error naming a marker without a text, or a text without a marker */
export function fillIn(page: string, texts: Record<string, string>): string {
  const unknown = [...page.matchAll(/<!-- capacity: (\S+) -->/g)].find(([, name]) => texts[name!] === undefined);
  if (unknown) throw new Error(`no text for ${unknown[0]}`);
  return Object.entries(texts).reduce((filled, [name, text]) => {
    const from = filled.indexOf(start(name)) + start(name).length;
    const to = filled.indexOf(end, from);
    if (!filled.includes(start(name)) || to < 0) throw new Error(`the page has no ${start(name)} … ${end}`);
    return `${filled.slice(0, from)}\n\n${text}\n\n${filled.slice(to)}`;
  }, page);
}
