import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluateRules, root, services } from '@spooled/testing';
import { containersOf, exampleSecrets, type Manifest, render, renderEdited, workloads } from './rendered.js';

const replaceIn = (folder: string, file: string, from: string, to: string): void => {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`);
  writeFileSync(path, text.replaceAll(from, to));
};

const deployments = (manifests: Manifest[]) => manifests.filter(({ kind }) => kind === 'Deployment');
const templateOf = (manifests: Manifest[], name: string) =>
  deployments(manifests).find(({ metadata }) => metadata.name === name)!.spec.template;
const jobOf = (manifests: Manifest[]) => manifests.find(({ kind }) => kind === 'Job')!;

describe('SP-104 the migration on Kubernetes', () => {
  it.each([
    ['development', 'local'],
    ['production', '0.1.0'],
  ])('of %s is a Job of its version, because a Job cannot be changed', (overlay, tag) => {
    const edited = renderEdited(overlay, (folder) =>
      replaceIn(folder, 'kustomization.yaml', `newTag: ${tag} }`, 'newTag: 9.8.7 }'),
    );
    expect([render(overlay), edited].map((manifests) => jobOf(manifests).metadata.name)).toEqual([
      `migrate-${tag}`,
      'migrate-9.8.7',
    ]);
    expect(containersOf(jobOf(edited))[0]!.image).toMatch(/:9\.8\.7$/);
  });

  it('runs before the services under Argo CD, after the namespace, and is replaced at every sync', () => {
    const waveOf = ({ metadata }: Manifest) => Number(metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);
    const manifests = render('production');
    const job = jobOf(manifests);
    expect(job.metadata.annotations).toMatchObject({
      'argocd.argoproj.io/hook': 'Sync',
      'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation',
      'kustomize.toolkit.fluxcd.io/force': 'enabled',
    });
    const namespace = manifests.find(({ kind }) => kind === 'Namespace')!;
    const waves = [namespace, job, ...deployments(manifests)].map(waveOf);
    expect(waves).toEqual([...waves].sort((a, b) => a - b));
    expect(waves.slice(0, 3)).toEqual([-2, -1, 0]);
  });
});

describe('SP-104 secrets and pods on Kubernetes', () => {
  it('restarts every pod that reads a generated secret when it changes', () => {
    const edited = renderEdited('development', (folder) => {
      replaceIn(folder, 'secrets/spooled-database.env', 'SPOOLED_APP_PASSWORD=', 'SPOOLED_APP_PASSWORD=other');
      replaceIn(folder, 'secrets/spooled.env', 'REDIS_URL=', 'UNUSED=changed\nREDIS_URL=');
    });
    const before = render('development');
    for (const name of [...services, 'pgbouncer']) {
      expect([name, templateOf(edited, name)]).not.toEqual([name, templateOf(before, name)]);
    }
  });

  it('restarts all pods of production when the revision of its secrets changes', () => {
    const edited = renderEdited('production', (folder) =>
      replaceIn(folder, 'kustomization.yaml', "spooled/secrets-revision: '1'", "spooled/secrets-revision: '2'"),
    );
    for (const name of [...services, 'pgbouncer']) {
      const changed = { ...templateOf(edited, name).metadata, annotations: { 'spooled/secrets-revision': '2' } };
      expect([name, templateOf(edited, name).metadata]).toEqual([name, changed]);
      expect([name, templateOf(render('production'), name).metadata]).not.toEqual([name, changed]);
    }
  });

  it('verifies the certificate of PostgreSQL in production, with a mounted authority', () => {
    const manifests = render('production');
    const server = manifests.find(({ metadata }) => metadata.name.startsWith('pgbouncer-server'))!;
    const path = server.data!.POSTGRES_TLS_CA_FILE!;
    expect(server.data).toMatchObject({ POSTGRES_TLS: 'verify-full' });
    const owner = exampleSecrets().find(({ metadata }) => metadata.name === 'spooled-database')!;
    expect(owner.stringData!.DATABASE_DIRECT_URL).toContain(`?sslmode=verify-full&sslrootcert=${path}`);
    const mounting = workloads(manifests).filter((workload) =>
      containersOf(workload).some(({ volumeMounts = [] }) =>
        volumeMounts.some(({ mountPath }) => path.startsWith(`${mountPath}/`)),
      ),
    );
    expect(mounting.map(({ metadata }) => metadata.labels!['app.kubernetes.io/name']).sort()).toEqual([
      'migrate',
      'pgbouncer',
    ]);
  });
});

describe('SP-104 pods and nodes', () => {
  it('count only nodes that would take the pod when replicas are spread', () => {
    for (const { metadata, spec } of deployments(render('production', ['console']))) {
      const spread = spec.template.spec.topologySpreadConstraints!;
      expect([metadata.name, spread]).toEqual([
        metadata.name,
        [
          expect.objectContaining({ topologyKey: 'kubernetes.io/hostname', nodeTaintsPolicy: 'Honor' }),
          expect.objectContaining({ topologyKey: 'topology.kubernetes.io/zone', nodeTaintsPolicy: 'Honor' }),
        ],
      ]);
    }
  });

  it('have an account without a token for the API of the cluster', () => {
    const manifests = render('production', ['console']);
    const account = manifests.find(({ kind }) => kind === 'ServiceAccount') as Manifest & PodToken;
    expect(account).toMatchObject({ metadata: { name: 'spooled' }, automountServiceAccountToken: false });
    for (const { metadata, spec } of deployments(manifests)) {
      const { serviceAccountName, automountServiceAccountToken } = spec.template.spec;
      expect([metadata.name, serviceAccountName, automountServiceAccountToken]).toEqual([
        metadata.name,
        'spooled',
        false,
      ]);
    }
  });
});

interface PodToken {
  automountServiceAccountToken?: boolean;
}

interface Monitor {
  spec: {
    selector: { matchLabels: Record<string, string> };
    endpoints: { port: string; relabelings: { targetLabel: string; replacement: string }[] }[];
  };
}

describe('SP-105 prometheus-operator', () => {
  it('scrapes every service and the console, under names with which SpooledServiceDown fires', () => {
    const manifests = render('production', ['console', 'monitoring']);
    const monitor = manifests.find(({ kind }) => kind === 'ServiceMonitor') as unknown as Monitor;
    const [endpoint] = monitor.spec.endpoints;
    const scraped = manifests
      .filter(({ kind }) => kind === 'Service')
      .filter(({ metadata }) =>
        Object.entries(monitor.spec.selector.matchLabels).every(([name, value]) => metadata.labels?.[name] === value),
      )
      .filter(({ spec }) => spec.ports.some(({ name }) => name === endpoint!.port))
      .map(({ metadata }) => metadata.name);
    expect(scraped.sort()).toEqual([...services, 'console'].sort());
    const [relabeling] = endpoint!.relabelings;
    expect(relabeling!.targetLabel).toBe('job');
    const rules = readFileSync(join(root, 'deploy/monitoring/alerts.yaml'), 'utf8');
    const tests = scraped.map((service) => ({
      fires: 'SpooledServiceDown',
      given: [{ series: `up{job="${relabeling!.replacement.replace('$1', service)}"}`, values: '0x60' }],
    }));
    expect(evaluateRules(rules, tests)).toBe('');
  });
});
