import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { productMetrics } from '@spooled/contracts';
import { root, services, settingsOf } from '@spooled/testing';
import { filesOfBase } from './base.js';
import { chart, type KubernetesObject, renderChart } from './chart.js';
import { render } from './rendered.js';

const required = { postgres: { host: 'postgres.example' } };
const examples = readdirSync(join(chart, 'examples')).map((file) => file.replace('.yaml', ''));

const named = (objects: KubernetesObject[], kind: string, name: string) =>
  objects.find((object) => object.kind === kind && object.metadata.name === name)!;
const ofKind = (objects: KubernetesObject[], kind: string) => objects.filter((object) => object.kind === kind);
const templateOf = (objects: KubernetesObject[], name: string) => named(objects, 'Deployment', name).spec.template;
const containerOf = (objects: KubernetesObject[], name: string) => templateOf(objects, name).spec.containers[0];

/** By name, because their order means nothing. */
function sortByName(list: { name: string }[] | undefined): void {
  list?.sort((a, b) => a.name.localeCompare(b.name));
}

/** Objects by kind and name, in a form in which those of chart and overlay are equal; of labels only those that `other` has. */
function comparable(
  objects: KubernetesObject[],
  other?: Record<string, KubernetesObject>,
): Record<string, KubernetesObject> {
  const entries = objects
    .filter(({ kind }) => kind !== 'Namespace')
    .map((object) => {
      // Kustomize appends a hash of their content to the names of ConfigMaps.
      const copy = JSON.parse(
        JSON.stringify(object).replaceAll(/"(spooled-settings|pgbouncer-(?:server|settings))-[a-z0-9]{10}"/g, '"$1"'),
      ) as KubernetesObject;
      const key = `${copy.kind} ${copy.metadata.name}`;
      const wanted = other?.[key]?.metadata.labels ?? copy.metadata.labels ?? {};
      const kept = Object.entries(copy.metadata.labels ?? {}).filter(([name]) => name in wanted);
      copy.metadata.labels = Object.fromEntries(kept);
      // Each tool orders the migration by its own annotations.
      if (copy.kind === 'Job') delete copy.metadata.annotations;
      const template = copy.spec?.template;
      for (const name of Object.keys(template?.metadata?.annotations ?? {})) {
        if (name.startsWith('checksum/')) delete template.metadata.annotations[name];
      }
      for (const { env, ports, volumeMounts } of template?.spec?.containers ?? []) {
        for (const list of [env, ports, volumeMounts]) sortByName(list);
      }
      sortByName(template?.spec?.volumes);
      return [key, copy] as const;
    });
  return Object.fromEntries(entries);
}

describe('SP-104 the Helm chart', () => {
  it.each(Object.entries(filesOfBase()))(
    'gives the Kustomize base its objects (else: npm run generate:chart): %s',
    (file, text) => {
      const path = join(import.meta.dirname, file);
      if (process.env.UPDATE_CHART) writeFileSync(path, text);
      else expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  it.each([
    [['console', 'monitoring'], {}],
    [[], { console: { enabled: false }, monitoring: { enabled: false } }],
  ])('holds the same objects as the production overlay with components %j', (components, values) => {
    const overlay = render('production', components) as unknown as KubernetesObject[];
    const expected = comparable(overlay);
    expect(Object.keys(expected).length).toBeGreaterThan(30);
    expect(comparable(renderChart(values, 'production'), expected)).toEqual(expected);
  });

  it('runs the migration of a version before its services', () => {
    const [job] = ofKind(renderChart({ ...required, image: { tag: '9.8.7' } }), 'Job');
    expect(job!.metadata).toMatchObject({
      name: 'migrate-9.8.7',
      annotations: { 'helm.sh/hook': 'pre-install,pre-upgrade', 'helm.sh/hook-delete-policy': 'before-hook-creation' },
    });
    expect(job!.spec.template.spec.containers[0].image).toBe('spooled/migrate:9.8.7');
  });

  it.each([
    ['a setting', { settings: { LOG_LEVEL: 'debug' } }],
    ['the revision of the secrets', { secrets: { revision: 'rotated' } }],
  ])('restarts all pods when %s changes', (_what, changed) => {
    const [before, after] = [required, { ...required, ...changed }].map((values) => renderChart(values));
    for (const name of [...services, 'pgbouncer']) {
      expect([name, templateOf(after!, name)]).not.toEqual([name, templateOf(before!, name)]);
    }
  });

  it('has no setting of a service in a secret, and gives all that a service requires', async () => {
    const objects = renderChart(required);
    for (const service of services) {
      const { required: needed } = await settingsOf(service);
      const env = (containerOf(objects, service).env as { name: string }[]).map(({ name }) => name);
      expect([service, env]).toEqual([service, expect.arrayContaining(needed)]);
    }
  });

  it('connects services to PostgreSQL directly without PgBouncer, with its authority and a policy', () => {
    const objects = renderChart({ postgres: { host: 'postgres.example', port: 6543 }, pgbouncer: { enabled: false } });
    expect(objects.filter(({ metadata }) => metadata.name.includes('pgbouncer'))).toEqual([]);
    const stores = named(objects, 'NetworkPolicy', 'services-reach-their-stores');
    expect(stores.spec.egress).toEqual([{ ports: [6379, 6380, 26_379, 4318, 6543].map((port) => ({ port })) }]);
    for (const service of services) {
      expect([service, containerOf(objects, service).volumeMounts]).toEqual([
        service,
        expect.arrayContaining([{ name: 'postgres-authority', mountPath: '/etc/postgres-authority', readOnly: true }]),
      ]);
    }
  });

  it('mounts no authority that nothing verifies', () => {
    const objects = renderChart({ postgres: { host: 'postgres.example', tls: 'require' } });
    expect(JSON.stringify(objects)).not.toContain('postgres-authority');
    expect(named(objects, 'ConfigMap', 'pgbouncer-server').data).toMatchObject({
      POSTGRES_TLS: 'require',
      POSTGRES_TLS_CA_FILE: '',
    });
  });

  it('scales engines by the age of the backlog, through an adapter or KEDA', () => {
    const scaled = (autoscaling: object) => renderChart({ ...required, engine: { autoscaling } });
    const external = scaled({ enabled: true, backlogAge: 0.25 });
    expect(named(external, 'HorizontalPodAutoscaler', 'engine').spec.metrics).toEqual([
      {
        type: 'External',
        external: {
          metric: { name: 'spooled_command_backlog_age_seconds' },
          target: { type: 'Value', value: '250m' },
        },
      },
    ]);
    const keda = scaled({ enabled: true, by: 'keda', prometheus: 'http://prometheus:9090', maxReplicas: 9 });
    expect(named(keda, 'HorizontalPodAutoscaler', 'engine')).toBeUndefined();
    expect(named(keda, 'ScaledObject', 'engine').spec).toMatchObject({ minReplicaCount: 2, maxReplicaCount: 9 });
    for (const objects of [external, keda])
      expect(named(objects, 'Deployment', 'engine').spec.replicas).toBeUndefined();
  });

  it('routes by the Gateway API as by an Ingress', () => {
    const objects = renderChart(
      { ...required, console: { enabled: true }, ingress: { enabled: true, host: 'api.example' } },
      'gateway-api',
    );
    const paths = named(objects, 'Ingress', 'spooled').spec.rules[0].http.paths as {
      path: string;
      pathType: string;
      backend: { service: { name: string } };
    }[];
    const routes = (named(objects, 'HTTPRoute', 'spooled').spec.rules as HttpRule[]).map(
      ({ matches: [match], backendRefs: [backend] }) => [match!.path.value, match!.path.type, backend!.name],
    );
    expect(routes).toEqual(
      paths.map(({ path, pathType, backend }) => [
        path,
        pathType === 'Exact' ? 'Exact' : 'PathPrefix',
        backend.service.name,
      ]),
    );
    expect(named(objects, 'GRPCRoute', 'spooled-grpc').spec.rules).toEqual([
      { backendRefs: [{ name: 'gateway', port: 50_051 }] },
    ]);
  });
});

interface HttpRule {
  matches: { path: { type: string; value: string } }[];
  backendRefs: { name: string }[];
}

describe('SP-104 what every example of the chart names exists in the code', () => {
  const rendered = examples.map((name) => [name, renderChart(required, name)] as const);

  it.each(rendered)('%s: environment variables', async (_name, objects) => {
    const shared = Object.keys(named(objects, 'ConfigMap', 'spooled-settings').data!);
    const all = await Promise.all(services.map(settingsOf));
    expect(shared.filter((name) => !all.some((settings) => settings.knows(name)))).toEqual([]);
    for (const [i, service] of services.entries()) {
      const env = (containerOf(objects, service).env as { name: string }[]).map(({ name }) => name);
      // Node's own variable.
      const unknown = env.filter((name) => !all[i]!.knows(name) && name !== 'NODE_EXTRA_CA_CERTS');
      expect([service, unknown]).toEqual([service, []]);
    }
  });

  it.each(rendered)('%s: ports and targets of Services, probes and policies', async (_name, objects) => {
    const { defaults } = await settingsOf('gateway');
    const declared = { http: defaults.PORT, grpc: defaults.GRPC_PORT, metrics: defaults.METRICS_PORT };
    for (const { metadata, spec } of ofKind(objects, 'Deployment')) {
      if (metadata.name === 'pgbouncer') continue;
      const ports = spec.template.spec.containers[0].ports as { name: 'http'; containerPort: number }[];
      for (const { name, containerPort } of ports)
        expect([name, String(containerPort)]).toEqual([name, declared[name]]);
      const service = named(objects, 'Service', metadata.name).spec.ports as { name: string; targetPort: string }[];
      expect(service.map(({ targetPort }) => targetPort).sort()).toEqual(
        ports.map(({ name }) => name as string).sort(),
      );
    }
  });

  it.each(rendered)('%s: metrics', (_name, objects) => {
    const known = new Set(Object.values(productMetrics).map(({ name }) => name as string));
    const scaling = objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler' || kind === 'ScaledObject');
    const used = [...JSON.stringify(scaling).matchAll(/spooled_[a-z_]+/g)].map(([name]) => name);
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  });

  it('paths of the public host', () => {
    const { paths } = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as { paths: object };
    const routed = renderChart({ ...required, ingress: { enabled: true, host: 'api.example' } });
    const prefixes = (named(routed, 'Ingress', 'spooled').spec.rules[0].http.paths as { path: string }[]).map(
      ({ path }) => path,
    );
    expect(prefixes.filter((prefix) => !Object.keys(paths).some((path) => path.startsWith(prefix)))).toEqual([]);
  });
});
