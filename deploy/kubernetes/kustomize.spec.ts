import { services, settingsOf } from '@spooled/testing';
import {
  containersOf,
  environmentOf,
  exampleSecrets,
  keysByObject,
  type Manifest,
  referencesOf,
  render,
  workloads,
} from './rendered.js';

const overlays: [overlay: string, components: string[]][] = [
  ['development', []],
  ['production', []],
  ['development', ['console']],
  ['production', ['console', 'monitoring']],
];

describe.each(overlays)('SP-104 the Kubernetes overlay %s with components %j', (overlay, components) => {
  let manifests: Manifest[];
  const named = (kind: string, name: string) =>
    manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);

  beforeAll(() => void (manifests = render(overlay, components)));

  it('runs the five services, PgBouncer, its components and the migration', () => {
    const deployments = manifests.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name);
    const added = components.filter((name) => name === 'console');
    expect(deployments.sort()).toEqual([...services, 'pgbouncer', ...added].sort());
    expect(manifests.filter(({ kind }) => kind === 'Job').map(({ metadata }) => metadata.labels)).toEqual([
      expect.objectContaining({ 'app.kubernetes.io/name': 'migrate' }),
    ]);
  });

  it('gives every container limits and a user other than root', () => {
    for (const workload of workloads(manifests)) {
      expect(workload.spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true });
      expect(workload.spec.template.metadata.labels['app.kubernetes.io/part-of']).toBe('spooled');
      for (const container of containersOf(workload)) {
        expect(container.resources).toMatchObject({
          requests: { cpu: expect.any(String), memory: expect.any(String) },
          limits: { memory: expect.any(String) },
        });
        expect(container.securityContext).toMatchObject({ allowPrivilegeEscalation: false });
      }
    }
  });

  it('probes liveness and readiness of everything that keeps running', () => {
    for (const workload of workloads(manifests).filter(({ kind }) => kind !== 'Job')) {
      for (const { name, readinessProbe, livenessProbe } of containersOf(workload)) {
        expect({ name, ready: !!readinessProbe, alive: !!livenessProbe }).toEqual({ name, ready: true, alive: true });
      }
    }
  });

  it.each(services)('sets all that %s requires, by itself only what it declares', async (service) => {
    const settings = await settingsOf(service);
    const [container] = containersOf(named('Deployment', service)!);
    const ofItsOwn = container!.env!.map(({ name }) => name);
    expect(ofItsOwn.filter((name) => !settings.knows(name))).toEqual([]);
    expect(environmentOf(container!, manifests)).toEqual(expect.arrayContaining(settings.required));
  });

  it('has no shared setting that no service declares', async () => {
    const all = await Promise.all(services.map(settingsOf));
    const shared = [...keysByObject(manifests)].find(([name]) => name.startsWith('ConfigMap/spooled-settings'));
    const unknown = [...shared![1]].filter((name) => !all.some((settings) => settings.knows(name)));
    expect(unknown).toEqual([]);
  });

  it('refers to nothing that is missing', () => {
    const keys = keysByObject([...manifests, ...(overlay === 'production' ? exampleSecrets() : [])]);
    const missing = workloads(manifests)
      .flatMap(containersOf)
      .flatMap(referencesOf)
      .filter(({ object, key }) => !keys.has(object) || (key !== undefined && !keys.get(object)!.has(key)));
    expect(missing).toEqual([]);
  });

  it('connects every Service to a port of its pods', () => {
    for (const { metadata, spec } of manifests.filter(({ kind }) => kind === 'Service')) {
      const pods = workloads(manifests).filter(({ spec: { template } }) =>
        Object.entries(spec.selector).every(([label, value]) => template.metadata.labels[label] === value),
      );
      const ports = pods.flatMap(containersOf).flatMap((container) => container.ports!.map(({ name }) => name));
      expect({ service: metadata.name, ports }).toEqual({
        service: metadata.name,
        ports: expect.arrayContaining(spec.ports.map(({ targetPort }) => targetPort)),
      });
    }
  });

  it('gives the password of the owner only to the migration', () => {
    const readers = workloads(manifests).filter((workload) =>
      containersOf(workload)
        .flatMap(referencesOf)
        .some(({ key }) => key === 'DATABASE_DIRECT_URL'),
    );
    expect(readers.map(({ kind }) => kind)).toEqual(['Job']);
  });
});

describe('SP-104 development on Kubernetes', () => {
  const manifests = render('development');

  it('uses the images loaded into the nodes, without a registry', () => {
    const ours = workloads(manifests)
      .flatMap(containersOf)
      .filter(({ image }) => image.startsWith('spooled/'));
    expect(ours).toHaveLength(services.length + 2);
    for (const { image, imagePullPolicy } of ours) {
      expect([image, imagePullPolicy]).toEqual([expect.stringMatching(/:local$/), 'IfNotPresent']);
    }
  });

  it('fits on two cores, even while every Deployment has one more pod during a rolling update', () => {
    const millicores = workloads(manifests).map((workload) => {
      const pods = (workload.spec.replicas ?? 1) + (workload.kind === 'Deployment' ? 1 : 0);
      const requests = containersOf(workload).map(({ resources }) =>
        Number(/^(\d+)m$/.exec(resources!.requests!.cpu!)![1]),
      );
      return pods * requests.reduce((sum, cpu) => sum + cpu, 0);
    });
    // A control plane on the same node requests about 1 CPU.
    expect(millicores.reduce((sum, cpu) => sum + cpu, 0)).toBeLessThanOrEqual(1000);
  });
});

describe('SP-66 SP-77 production on Kubernetes', () => {
  const manifests = render('production');

  it('serves every host with TLS', () => {
    const ingresses = manifests.filter(({ kind }) => kind === 'Ingress');
    expect(ingresses).toHaveLength(2);
    for (const { spec } of ingresses) {
      expect(spec.tls!.flatMap(({ hosts }) => hosts)).toEqual(spec.rules.map(({ host }) => host));
    }
  });

  it('contains no secret', () => {
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
  });

  it('SP-78 opens at most 100 connections to PostgreSQL', () => {
    const pooler = manifests.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'pgbouncer')!;
    const share = (name: string) => Number(containersOf(pooler)[0]!.env!.find((entry) => entry.name === name)!.value);
    const ofOne = share('PGBOUNCER_APP_CONNECTIONS') + share('PGBOUNCER_SYSTEM_CONNECTIONS');
    expect(ofOne * pooler.spec.replicas!).toBe(100);
  });
});

describe('SP-104 BX-16 the console as a component on Kubernetes', () => {
  const manifests = render('production', ['console']);
  const named = (kind: string, name: string) =>
    manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name)!;

  it('gets /console of the host, before the gateway, which keeps everything else', () => {
    const paths = named('Ingress', 'spooled').spec.rules[0]!.http.paths.map(
      ({ path, backend }) => `${path} ${backend.service.name}`,
    );
    expect(paths[0]).toBe('/console console');
    expect(paths.at(-1)).toBe('/ gateway');
  });

  it('has the settings of the services, no secret, and an image of the same registry and version', () => {
    const [container] = containersOf(named('Deployment', 'console'));
    expect(referencesOf(container!).map(({ object }) => object)).toEqual([
      expect.stringMatching(/^ConfigMap\/spooled-settings/),
    ]);
    const [gateway] = containersOf(named('Deployment', 'gateway'));
    expect(container!.image).toBe(gateway!.image.replace('gateway', 'console'));
  });

  it('keeps a pod during drains', () => {
    expect(named('PodDisruptionBudget', 'console').spec).toMatchObject({
      maxUnavailable: 1,
      selector: { matchLabels: { 'app.kubernetes.io/name': 'console' } },
    });
  });
});
