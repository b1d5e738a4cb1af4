import { readFileSync, writeFileSync } from 'node:fs';
import { format } from 'oxfmt';
import { promiseIdsIn, promisesProvenIn, writtenFiles } from './proofs.js';

const file = 'docs/features.md';
const update = 'UPDATE_PROOFS';
const shown = 3;

const files = [...writtenFiles()].filter(([path]) => path !== file);
const proofs = files
  .filter(([path]) => path.endsWith('.spec.ts'))
  .map(([path, text]) => [path, promisesProvenIn(text)] as const);

/** What the stored benchmark measured of promised rates and latencies: `npm run bench` proves these, and no spec. */
const figures = (
  JSON.parse(readFileSync('docs/bench/latest.json', 'utf8')) as {
    targets: { name: string; measured: string; met: boolean; proves: string[] }[];
  }[]
).flatMap(({ targets }) => targets);

/** The last column of a row: figures of the benchmark, the specs that cite the promise most often, and the number of others. */
function provedBy(id: string): string {
  const measured = figures
    .filter(({ proves }) => proves.includes(id))
    .map(({ name, measured, met }) => `\`npm run bench\`: ${name}, ${met ? measured : `**missed**: ${measured}`}`);
  return [...measured, ...specsOf(id)].join('<br>') || '–';
}

function specsOf(id: string): string[] {
  const specs = proofs
    .map(([path, proven]) => ({ path, titles: proven.filter((one) => one === id).length }))
    .filter(({ titles }) => titles > 0)
    .sort((a, b) => b.titles - a.titles)
    .map(({ path }) => path);
  const more = specs.length > shown ? [`and ${specs.length - shown} more`] : [];
  return [...specs.slice(0, shown), ...more];
}

/** The anchors of a page, and '' for the page itself. */
const headingsOf = (path: string): string[] =>
  ['', ...[...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, text]) => text!)].map((text) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );

const row = /^\| ([A-Z]{2}-\d+) +\| (.*?) +\| *(.*?) *\|$/gm;

// Run `npm run generate:proofs` after changing specs or titles.
if (process.env[update]) {
  const page = readFileSync(file, 'utf8').replaceAll(
    row,
    (_, id, promise) => `| ${id} | ${promise} | ${provedBy(id)} |`,
  );
  writeFileSync(file, (await format(file, page, { printWidth: 120 })).code);
}

describe('docs/features.md', () => {
  const page = readFileSync(file, 'utf8');
  const rows = [...page.matchAll(row)].map(([, id, promise, named]) => ({ id: id!, promise: promise!, named: named! }));
  const ids = rows.map(({ id }) => id);

  it('shows a missed figure as missed, beside the specs', () => {
    figures.push({ name: 'a figure', measured: '9 jobs/s', met: false, proves: ['XX-1'] });
    expect(provedBy('XX-1')).toBe('`npm run bench`: a figure, **missed**: 9 jobs/s');
    figures.pop();
  });

  it('has one row for each promise, with a sentence', () => {
    expect(rows).toHaveLength(page.match(/^\| *[A-Z]{2}-\d/gm)!.length);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
    expect(rows.filter(({ promise }) => !promise.endsWith('.')).map(({ id }) => id)).toEqual([]);
  });

  it('has a row for each id that code, comments, specs or docs cite', () => {
    const known = new Set(ids);
    const unknown = files.flatMap(([path, text]) =>
      promiseIdsIn(text)
        .filter((id) => !known.has(id))
        .map((id) => `${path}: ${id}`),
    );
    expect(unknown).toEqual([]);
  });

  it('names the specs that cite each promise, and no others (else: npm run generate:proofs)', () => {
    expect(rows.map(({ id, named }) => `${id}: ${named}`)).toEqual(ids.map((id) => `${id}: ${provedBy(id)}`));
  });

  it('names only specs with a durable PostgreSQL for what survives a crash: others run without fsync', () => {
    const { id } = rows.find(({ promise }) => promise.includes('survives the crash of any process'))!;
    const specs = proofs.filter(([, proven]) => proven.includes(id)).map(([path]) => path);
    expect(specs).not.toEqual([]);
    expect(specs.filter((path) => !readFileSync(path, 'utf8').includes('durable: true'))).toEqual([]);
  });

  it('names the requirement that a promise replaces, and a decision that exists', () => {
    const [section] = page.split('## Promises in other words\n')[1]!.split('\n## ');
    const reworded = [...section!.matchAll(/^\| (?!requirement|-)(.+?) +\| (\S+) +\| .+? +\| (.+?) +\|$/gm)];
    expect(reworded.map(([, , id]) => id)).toEqual(['SP-05', 'SP-64', 'SP-70', 'SP-80', 'SP-81', 'SP-101', 'SP-104']);
    expect(reworded.filter(([, , id]) => !ids.includes(id!))).toEqual([]);
    for (const [, , , decisions] of reworded) {
      const links = [...decisions!.matchAll(/\]\((decisions\/[^)#]+)#?([^)]*)\)/g)];
      expect(links.length).toBeGreaterThan(0);
      for (const [, path, heading] of links) expect(headingsOf(`docs/${path}`)).toContain(heading);
    }
  });

  it('marks no promise as not built that a spec proves', () => {
    const unbuilt = page.split('## Not built yet\n')[1]!;
    expect(promiseIdsIn(unbuilt).filter((id) => provedBy(id) !== '–')).toEqual([]);
  });
});
