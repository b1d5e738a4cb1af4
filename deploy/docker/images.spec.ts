import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { satisfies } from 'semver';
import { parse } from 'yaml';
import { root } from '@spooled/testing';

interface Package {
  /** Of an alias: the package in its place. */
  name?: string;
  version: string;
  dev?: boolean;
  optional?: boolean;
  engines?: { node?: string };
}

interface Project {
  name: string;
  implicitDependencies?: string[];
}

interface Targets {
  build?: { inputs?: unknown[] };
}

interface Nx {
  targets?: Targets;
  targetDefaults?: Targets;
}

interface Compose {
  services: Record<string, { image: string; build?: { args: Record<string, string> } }>;
}

const dockerfile = readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8');
const defaults = new Map([...dockerfile.matchAll(/^ARG (\w+)=(\S+)$/gm)].map(([, name, image]) => [name!, image!]));

describe('SP-103 the images', () => {
  it('run on a version of Node that every package in them supports', () => {
    const node = /^node:([\d.]+)-/.exec(defaults.get('NODE_IMAGE')!)![1]!;
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, Package>;
    };
    const unsupported = Object.entries(packages)
      .filter(([, { dev, optional, engines }]) => !dev && !optional && engines?.node && !satisfies(node, engines.node))
      .map(([path, { version, engines }]) => `${path} ${version} requires Node ${engines!.node}`);
    expect(unsupported).toEqual([]);
  });

  it('have no package that reports its installation', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, Package>;
    };
    const reporting = Object.entries(packages).filter(([path]) => path.endsWith('/@scarf/scarf'));
    expect(new Set(reporting.map(([, { name }]) => name))).toEqual(new Set(['empty-npm-package']));
  });

  it('are built from a folder with every file that a build names', () => {
    const kept = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
    const projects = globSync('{apps,libs,deploy,prisma}/**/project.json', { cwd: root });
    const settings = ['nx.json', ...projects].map((file) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Nx);
    const inputs = settings.flatMap(({ targets, targetDefaults }) => (targets ?? targetDefaults)?.build?.inputs ?? []);
    const files = inputs.flatMap((input) => /^\{workspaceRoot\}\/(.+)$/.exec(String(input))?.[1] ?? []);
    const missing = files.filter((file) => !kept.some((path) => `${file}/`.startsWith(`${path.slice(1)}/`)));
    expect(missing).toEqual([]);
    expect(files).toContain('docs/openapi.json');
  });

  it('are built from a folder with every project that another one in it names', () => {
    const left = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
    const projects = globSync('{apps,libs,deploy,prisma}/**/project.json', { cwd: root })
      .filter((file) => !left.some((path) => file.startsWith(`${path}/`)))
      .map((file) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Project);
    const names = new Set(projects.map(({ name }) => name));
    const missing = projects.flatMap(({ name, implicitDependencies = [] }) =>
      implicitDependencies.filter((other) => !names.has(other)).map((other) => `${name} names ${other}`),
    );
    expect(missing).toEqual([]);
    expect(projects.length).toBeGreaterThan(10);
  });

  it('take every base image from an argument, so that a build can use a private registry alone', () => {
    const stages = [...dockerfile.matchAll(/^FROM (\S+) AS (\S+)$/gm)];
    const names = new Set(stages.map(([, , stage]) => stage!));
    const fixed = stages.map(([, base]) => base!).filter((base) => !names.has(base) && !/^\$\{\w+\}$/.test(base));
    expect(fixed).toEqual([]);
    expect(dockerfile).not.toMatch(/^# syntax=/m);
  });

  it('have the same default base images in docker-compose.yml, where .env can replace each image', () => {
    const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as Compose;
    const expected = Object.fromEntries([...defaults].map(([name, image]) => [name, `\${${name}:-${image}}`]));
    for (const [name, { image, build }] of Object.entries(services)) {
      if (build) expect([name, build.args]).toEqual([name, expected]);
      else expect(image).toMatch(/^\$\{\w+_IMAGE:-\S+\}$/);
    }
  });
});
