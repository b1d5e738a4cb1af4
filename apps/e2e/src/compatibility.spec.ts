import { readFileSync, writeFileSync } from 'node:fs';
import { format } from 'oxfmt';
import { isNamedIn, promises, routesCalledIn, specFiles } from './proofs.js';

const file = 'docs/compatibility.md';
const update = 'UPDATE_PROOFS';

const intro = `# Compatibility

Every route, RPC and event that callers use, with the specs that test it by name. In addition
\`apps/e2e/src/contract-matrix.spec.ts\` sends every kind of invalid request to every route,
\`apps/e2e/src/grpc-matrix.spec.ts\` does the same for every RPC, \`apps/e2e/src/isolation/isolation.spec.ts\` calls every route with ids
of another organization, and every response of every REST test is validated against \`docs/openapi.json\`.

\`npm run generate:proofs\` generates the tables. \`apps/e2e/src/compatibility.spec.ts\` fails when a row is missing, or when a
listed spec no longer tests its row.
`;

const specs = specFiles();
const calledRoutes = new Map([...specs].map(([path, text]) => [path, routesCalledIn(text)]));
const where = (isProof: (path: string, text: string) => boolean): string[] =>
  [...specs].filter(([path, text]) => isProof(path, text)).map(([path]) => path);

const { routes, rpcs, liveEvents, webhookEvents } = promises();
/** The entries of each table and the specs that prove them, by title. */
const tables: Record<string, [promise: string, proofs: string[]][]> = {
  'REST routes': routes.map((route) => [route, where((path) => calledRoutes.get(path)!.has(route))]),
  RPCs: rpcs.map((rpc) => {
    const [service, method] = rpc.split('.') as [string, string];
    const names = [method, `${service}/${method}`];
    return [rpc, where((path, text) => path.includes('grpc') && names.some((name) => isNamedIn(text, name)))];
  }),
  'Live events': liveEvents.map((event) => [
    event,
    where((path, text) => !path.includes('grpc') && isNamedIn(text, event)),
  ]),
  'Webhook events': webhookEvents.map((event) => [
    event,
    where((path, text) => !path.startsWith('apps/realtime/') && isNamedIn(text, event)),
  ]),
};

async function page(): Promise<string> {
  const sections = Object.entries(tables).map(([title, rows]) => {
    const lines = rows.map(([promise, proofs]) => `| \`${promise}\` | ${proofs.slice(0, 3).join('<br>')} |`);
    return [`## ${title}`, '', '| Promise | Proved by |', '| --- | --- |', ...lines].join('\n');
  });
  return (await format('compatibility.md', [intro, ...sections].join('\n\n'), { printWidth: 120 })).code;
}

/** The rows of a table in the page. */
function written(title: string): Map<string, string[]> {
  const section = readFileSync(file, 'utf8').split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^\| `([^`]+)` +\| (.*?) *\|$/gm)];
  return new Map(rows.map(([, promise, proofs]) => [promise!, proofs!.split('<br>')]));
}

// Run `npm run generate:proofs` after changing routes, events or specs.
if (process.env[update]) writeFileSync(file, await page());

describe('docs/compatibility.md', () => {
  it.each(Object.entries(tables))('%s: names at least one spec for each promise', (title, rows) => {
    expect(rows.length).toBeGreaterThan(5);
    const page = written(title);
    expect(rows.map(([promise]) => promise).filter((promise) => !page.get(promise)?.[0])).toEqual([]);
    expect([...page.keys()].sort()).toEqual(rows.map(([promise]) => promise).sort());
  });

  it.each(Object.entries(tables))('%s: every spec named covers its row', (title, rows) => {
    const proofs = new Map(rows);
    const untrue = [...written(title)].flatMap(([promise, named]) =>
      named.filter((path) => path && !proofs.get(promise)?.includes(path)).map((path) => `${promise}: ${path}`),
    );
    expect(untrue).toEqual([]);
  });
});
