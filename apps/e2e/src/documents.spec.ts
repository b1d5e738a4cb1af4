import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writtenFiles } from './proofs.js';

const files = [...writtenFiles()];
const pages = files.filter(([path]) => path.endsWith('.md'));
const folder = 'docs/decisions';
const decisions = pages
  .filter(([path]) => path.startsWith(`${folder}/0`))
  .map(([path]) => path.slice(folder.length + 1));
const numbers = new Set(decisions.map((name) => Number(name.slice(0, 4))));

/** Text outside of code, where brackets are links. */
const prose = (text: string) =>
  text.replaceAll(/^( *)```.*?^\1```/gms, '').replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll('](', ''));

/** Anchors of a page, as GitHub makes them from its headings. */
const anchorsOf = (text: string) =>
  [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

function problemOf(page: string, link: string): string | null {
  const [target, anchor] = link.split('#') as [string, string?];
  const path = target === '' ? page : join(dirname(page), target);
  if (!existsSync(path)) return `${page}: ${link} does not exist`;
  if (anchor === undefined || statSync(path).isDirectory()) return null;
  return anchorsOf(readFileSync(path, 'utf8')).includes(anchor) ? null : `${page}: ${link} has no such heading`;
}

describe('the documents', () => {
  it('link to files and headings that exist', () => {
    const links = pages.flatMap(([page, text]) =>
      [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => [page, link!] as const),
    );
    const local = links.filter(([, link]) => !/^\w+:/.test(link));
    expect(local.length).toBeGreaterThan(100);
    expect(local.flatMap(([page, link]) => problemOf(page, link) ?? [])).toEqual([]);
  });

  it('cite decisions that exist, as code and comments do', () => {
    const cited = files.flatMap(([path, text]) =>
      [...text.matchAll(/\bdecisions?\s+(\d+)\b/gi)].map(([, number]) => [path, Number(number)] as const),
    );
    expect(cited.filter(([, number]) => !numbers.has(number)).map(([path, n]) => `${path}: ${n}`)).toEqual([]);
  });

  it('cite a source for each statement about another project', () => {
    const rows = readFileSync('docs/comparison.md', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| ') && !line.includes('---'))
      .map((line) => line.split(' | ').map((cell) => cell.replaceAll('|', '').trim()));
    const others = rows.filter(([name]) => name !== 'system' && name !== 'Spooled');
    expect(new Set(others.map(([name]) => name)).size).toBe(9);
    const unsourced = others.flatMap(([name, ...cells]) =>
      cells.filter((cell) => cell !== '–' && !cell.includes('](https://')).map((cell) => `${name}: ${cell}`),
    );
    expect(unsourced).toEqual([]);
  });

  it('list every decision in their index', () => {
    const index = readFileSync(`${folder}/README.md`, 'utf8');
    expect(decisions.filter((name) => !index.includes(`(${name})`))).toEqual([]);
  });
});
