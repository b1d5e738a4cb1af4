import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type DefaultTheme, defineConfig, type MarkdownRenderer } from 'vitepress';

// npm run site: the documents of this repository as static pages in dist/site. A dead link fails the build.

const root = join(import.meta.dirname, '../..');

type Pages = [text: string, page: string][];
const sidebar: Record<string, Pages> = {
  Guides: [
    ['Getting started', 'docs/guides/getting-started'],
    ['Concepts', 'docs/guides/concepts'],
    ['Jobs', 'docs/guides/jobs'],
    ['Transactions', 'docs/guides/transactions'],
    ['Workers', 'docs/guides/workers'],
    ['Failures', 'docs/guides/failures'],
    ['Workflows', 'docs/guides/workflows'],
    ['Schedules', 'docs/guides/schedules'],
    ['Webhooks', 'docs/guides/webhooks'],
    ['Moving from another queue', 'docs/guides/migration'],
    ['Examples', 'examples/README'],
  ],
  Reference: [
    ['Behaviour', 'docs/behaviour'],
    ['TypeScript SDK', 'libs/sdk/README'],
    ['Embedded mode', 'libs/embedded/README'],
    ['Settings', 'docs/configuration'],
    ['Glossary', 'docs/glossary'],
    ['Comparison', 'docs/comparison'],
    ['Compatibility', 'docs/compatibility'],
    ['Changelog', 'CHANGELOG'],
  ],
  Operations: [
    ['Operations', 'docs/operations'],
    ['Runbooks', 'docs/runbooks'],
    ['Helm chart', 'deploy/helm/spooled/README'],
    ['Capacity', 'docs/capacity'],
    ['Performance', 'docs/performance'],
    ['Reliability', 'docs/reliability'],
    ['Isolation report', 'docs/isolation-report'],
    ['Security', 'SECURITY'],
    ['Threat model', 'docs/threat-model'],
  ],
  Development: [
    ['Contributing', 'CONTRIBUTING'],
    ['Architecture', 'docs/architecture'],
    ['Decisions', 'docs/decisions/README'],
    ['Features', 'docs/features'],
    ['Mutation tests', 'docs/mutation'],
    ['Benchmarks', 'apps/bench/README'],
    ['Console', 'apps/console/README'],
  ],
};
const groups = Object.entries(sidebar).map(([text, pages]): DefaultTheme.SidebarItem => ({
  text,
  collapsed: text === 'Development',
  items: pages.map(([name, page]) => ({ text: name, link: `/${page}` })),
}));

export default defineConfig({
  title: 'Spooled',
  description: 'A multi-tenant job queue and webhook service on PostgreSQL and Redis',
  lang: 'en',
  // Documents link to READMEs beside the code, so pages keep their paths in the repository.
  srcDir: '..',
  outDir: '../dist/site',
  cacheDir: '../dist/site-cache',
  srcExclude: ['**/node_modules/**', 'dist/**', '.data/**', 'apps/bench/peers/**'],
  rewrites: { 'docs/index.md': 'index.md' },
  cleanUrls: true,
  markdown: { config: withoutLinksToSources },
  buildEnd: ({ outDir }) => writeForModels(outDir),
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/docs/guides/getting-started' },
      { text: 'Reference', link: '/docs/behaviour' },
      { text: 'Operations', link: '/docs/operations' },
    ],
    sidebar: groups,
    search: { provider: 'local' },
    outline: [2, 3],
  },
});

/** A link to a folder or file that is no page, such as a proto file, becomes text: the site does not serve sources. */
function withoutLinksToSources(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('sources', ({ tokens, env }) => {
    const folder = dirname((env as { path: string }).path);
    for (const { children } of tokens) {
      let opened = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open') opened = isSource(folder, String(token.attrGet('href')));
        if (!opened || !token.type.startsWith('link_')) continue;
        [token.tag, token.attrs] = ['span', null];
        if (token.type === 'link_close') opened = false;
        token.type = token.nesting === 1 ? 'span_open' : 'span_close';
      }
    }
  });
}

function isSource(folder: string, href: string): boolean {
  const [path] = href.split('#');
  if (!path || /^[a-z]+:/.test(path)) return false;
  const file = join(path.startsWith('/') ? root : folder, path);
  return file.startsWith(root) && !file.endsWith('.md') && existsSync(file);
}

/** llms.txt (llmstxt.org): an index of the pages as Markdown, which are served beside it under the names of their sources. */
function writeForModels(outDir: string): void {
  const sections = Object.entries(sidebar).map(([title, pages]) => {
    const lines = pages.map(([name, page]) => `- [${name}](/${page}.md): ${summaryOf(page)}`);
    return [`## ${title}`, '', ...lines].join('\n');
  });
  writeFileSync(join(outDir, 'llms.txt'), ['# Spooled', ...sections].join('\n\n') + '\n');
  for (const [, page] of Object.values(sidebar).flat()) cpSync(join(root, `${page}.md`), join(outDir, `${page}.md`));
}

/** The first paragraph of a page. */
const summaryOf = (page: string): string =>
  readFileSync(join(root, `${page}.md`), 'utf8')
    .split(/\n{2,}/)
    .map((block) =>
      block
        .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .find((block) => /^[A-Z*]/.test(block)) ?? '';
