import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { nodeFlagsOf, serviceNames } from '@spooled/local';
import { root, services, settingsOf } from '@spooled/testing';

interface Compose {
  services: Record<string, { environment?: Record<string, string>; build?: { target: string } }>;
}

const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
const compose = parse(text, { merge: true }) as Compose;

describe('SP-103 docker-compose.yml', () => {
  it.each(services)('sets all that %s requires and only what it declares', async (service) => {
    const settings = await settingsOf(service);
    const given = Object.keys(compose.services[service]!.environment!);
    expect(given.filter((name) => !settings.knows(name))).toEqual([]);
    expect(given).toEqual(expect.arrayContaining(settings.required));
  });

  it('uses only variables that .env.example names', () => {
    const example = readFileSync(join(root, '.env.example'), 'utf8');
    const asked = [...text.matchAll(/\$\{(\w+)[:}]/g)].map(([, name]) => name!);
    const named = new Set([...example.matchAll(/^(?:# )?(\w+)=/gm)].map(([, name]) => name!));
    expect(asked.filter((name) => !named.has(name))).toEqual([]);
  });

  it('builds only targets of the Dockerfile', () => {
    const dockerfile = readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8');
    const stages = [...dockerfile.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, name]) => name!);
    const targets = Object.values(compose.services).flatMap(({ build }) => build?.target ?? []);
    expect(stages).toEqual(expect.arrayContaining(targets));
    expect(targets).toHaveLength(services.length + 2);
  });

  it.each(serviceNames)('runs %s with the flags that the launcher gives it', (service) => {
    const dockerfile = readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8');
    const command = ['node', ...nodeFlagsOf(service), `dist/apps/${service}/main.js`];
    expect(dockerfile).toContain(`CMD [${command.map((word) => JSON.stringify(word)).join(', ')}]`);
  });
});
