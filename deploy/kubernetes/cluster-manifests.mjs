import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { run } from '../local/checks.mjs';

// What `npm run cluster:check` installs: the development overlay, or the chart on its stores, and the pod with the load.

/** All with two replicas. */
export const deployments = ['gateway', 'engine', 'scheduler', 'webhooks', 'realtime', 'pgbouncer'];
const protoFolder = join(import.meta.dirname, '../../libs/contracts/proto/spooled/v1');
const protos = ['queue.proto', 'job.proto'];

/** @returns the objects of the development overlay with the images and the namespace of the options, rendered in `folder` */
export function renderOverlay({ kubectl, namespace, repository, tag }, folder) {
  for (const part of ['kubernetes', 'pgbouncer', 'postgres'])
    cpSync(join(import.meta.dirname, '..', part), join(folder, 'deploy', part), { recursive: true });
  const autoscaler = {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'gateway' },
    spec: { minReplicas: 2, maxReplicas: 2 },
  };
  const kustomization = {
    resources: ['deploy/kubernetes/overlays/development'],
    namespace,
    images: [...deployments, 'migrate'].map((name) => ({
      name: `spooled/${name}`,
      newName: `${repository}/${name}`,
      newTag: tag,
    })),
    replicas: deployments.filter((name) => name !== 'gateway').map((name) => ({ name, count: 2 })),
    patches: [{ patch: stringify(autoscaler) }],
  };
  writeFileSync(join(folder, 'kustomization.yaml'), stringify(kustomization));
  const objects = parseAllDocuments(run(kubectl, ['kustomize', folder])).map((document) => document.toJS());
  return objects.filter(({ kind }) => kind !== 'Namespace');
}

/** Those of an overlay that the chart needs: PostgreSQL, Redis and the secrets. */
export function storesOf(overlay) {
  const names = /^(postgres|redis|postgres-init-.*|stores-serve-spooled)$/;
  return overlay.filter(({ kind, metadata }) => kind === 'Secret' || names.test(metadata.name));
}

export function chartValues({ repository, tag }, overlay) {
  const resources = { requests: { cpu: '50m' } };
  const values = {
    image: { repository, tag, pullPolicy: 'IfNotPresent' },
    settings: { SPOOLED_ENV: 'development', TRUSTED_PROXY_HOPS: 1 },
    secrets: { services: secretOf(overlay, 'spooled'), database: secretOf(overlay, 'spooled-database') },
    postgres: { host: 'postgres', tls: 'disable' },
    pods: { spread: 'preferred' },
    ...Object.fromEntries(deployments.map((name) => [name, { replicas: 2, resources }])),
  };
  values.gateway.autoscaling = { maxReplicas: 2 };
  return stringify(values);
}

/** Kustomize appends a hash to the name. */
function secretOf(overlay, name) {
  const pattern = new RegExp(`^${name}-[a-z0-9]{10}$`);
  return overlay.find(({ kind, metadata }) => kind === 'Secret' && pattern.test(metadata.name)).metadata.name;
}

/**
 * Producers and workers in a pod, because they call the Service: a forwarded port belongs to one pod, whose end it does not survive,
 * and not every machine reaches addresses of the cluster. The gateway's image has Node.js, so no other image is needed.
 */
export function loadObjects({ repository, tag, rate }, overlay) {
  const metadata = { name: 'load', labels: { 'app.kubernetes.io/name': 'load' } };
  const data = {
    'load.mjs': readFileSync(join(import.meta.dirname, 'cluster-load.mjs'), 'utf8'),
    ...Object.fromEntries(protos.map((name) => [name, readFileSync(join(protoFolder, name), 'utf8')])),
  };
  const items = Object.keys(data).map((key) => ({ key, path: protos.includes(key) ? `proto/spooled/v1/${key}` : key }));
  const adminKey = { secretKeyRef: { name: secretOf(overlay, 'spooled'), key: 'ADMIN_API_KEY' } };
  const container = {
    name: 'load',
    image: `${repository}/gateway:${tag}`,
    imagePullPolicy: 'IfNotPresent',
    command: ['node', '/load/load.mjs'],
    env: [
      { name: 'JOBS_PER_SECOND', value: rate },
      { name: 'ADMIN_API_KEY', valueFrom: adminKey },
    ],
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [{ name: 'files', mountPath: '/load' }],
  };
  const spec = {
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [container],
    volumes: [{ name: 'files', configMap: { name: 'load', items } }],
  };
  return [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data },
    { apiVersion: 'v1', kind: 'Pod', metadata, spec },
  ];
}
