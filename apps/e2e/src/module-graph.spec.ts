import { readFileSync } from 'node:fs';

it('Nx detects imports between projects: without them the boundary lint would pass any import', () => {
  // As the last command of Nx has kept it for lint, such as the build before the tests.
  const { dependencies } = JSON.parse(readFileSync('.nx/workspace-data/project-graph.json', 'utf8')) as {
    dependencies: Record<string, { target: string }[]>;
  };
  const importsOf = (project: string) => new Set(dependencies[project]?.map(({ target }) => target));
  expect([...importsOf('queue')]).toEqual(expect.arrayContaining(['data-access', 'contracts', 'domain']));
  for (const service of ['gateway', 'engine', 'scheduler', 'webhooks', 'realtime']) {
    expect([...importsOf(service)]).toEqual(expect.arrayContaining(['service', 'platform']));
  }
});
