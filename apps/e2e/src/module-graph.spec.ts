import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

it('Nx detects imports between projects: without them the boundary lint would pass any import', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spooled-graph-'));
  const file = join(folder, 'graph.json');
  execFileSync('node_modules/.bin/nx', ['graph', `--file=${file}`], { env: { ...process.env, NX_DAEMON: 'false' } });
  const { graph } = JSON.parse(readFileSync(file, 'utf8')) as {
    graph: { dependencies: Record<string, { target: string }[]> };
  };
  rmSync(folder, { recursive: true });
  const importsOf = (project: string) => new Set(graph.dependencies[project]?.map(({ target }) => target));
  expect([...importsOf('queue')]).toEqual(expect.arrayContaining(['data-access', 'contracts', 'domain']));
  for (const service of ['gateway', 'engine', 'scheduler', 'webhooks', 'realtime']) {
    expect([...importsOf(service)]).toEqual(expect.arrayContaining(['service', 'platform']));
  }
});
