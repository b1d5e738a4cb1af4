import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../local/checks.mjs';

// What `npm run images` and `npm run compose:check` verify of the images, without starting them.

const root = join(import.meta.dirname, '../..');
export const services = ['gateway', 'engine', 'scheduler', 'webhooks', 'realtime'];
/** All targets of the Dockerfile that are images. */
export const targets = [...services, 'console', 'migrate', 'pgbouncer'];
/** Above the base image: how large Node.js or Debian is, is not ours. */
const largestMb = 200;
const secretVariable = /^\w*(PASSWORD|SECRET|TOKEN|PEPPER|API_KEY)\w*=./;
const secretArgument = /\b\w*(PASSWORD|SECRET|TOKEN|PEPPER|API_KEY)\w*=[^\s$]/;
const secretFile = /(^|\/)(\.env(\..*)?|\.npmrc|\.netrc|\.git|\.docker|\.ssh|[^/]+\.(key|p12|pfx))\/?$/;

/**
 * Reads the images as the files that docker, podman and buildah save alike, and prints the size of each. `labels`: what those of the
 * build must be.
 * @throws Error with all faults
 */
export function checkImages(engine, imageOf, labels = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'spooled-images-'));
  try {
    const faults = targets.flatMap((name) => {
      const expected = { title: `spooled-${name}`, licenses: 'Apache-2.0', ...labels };
      return checkImage(name, readImage(engine, imageOf(name), join(folder, name)), expected);
    });
    if (faults.length > 0) throw new Error(faults.join('\n'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns the configuration of an image, and the files of each layer, the oldest first */
function readImage({ program, save }, image, folder) {
  mkdirSync(folder);
  const archive = join(folder, 'image.tar');
  run(program, save(image, archive));
  run('tar', ['-xf', archive, '-C', folder]);
  const [{ Config: configFile, Layers: layerFiles }] = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const { config, history } = JSON.parse(readFileSync(join(folder, configFile), 'utf8'));
  const layers = layerFiles.map((file) => listFiles(join(folder, file)));
  rmSync(folder, { recursive: true });
  return { config, history, layers };
}

function listFiles(layer) {
  const lines = run('tar', ['-tvf', layer, '--numeric-owner']).split('\n');
  // Mode, owner, size, date, time, path.
  const found = lines.map((line) => /^\S+\s+\S+\s+(\d+)\s+\S+\s+\S+\s(.*)$/.exec(line));
  return found.filter(Boolean).map(([, size, path]) => ({ size: Number(size), path: path.replace(/ -> .*/, '') }));
}

function checkImage(name, { config, history, layers }, labels) {
  const own = layers.slice(baseLayers(name, history));
  const files = own.flat();
  const mb = (list) => list.reduce((sum, { size }) => sum + size, 0) / 1e6;
  const [all, added] = [mb(layers.flat()), mb(files)].map((size) => size.toFixed(0).padStart(4));
  console.log(`  ${name.padEnd(10)} ${all} MB, ${added} MB above its base image`);
  const faults = [
    config.User !== '1000:1000' && `runs as "${config.User}"`,
    mb(files) > largestMb && `adds ${added} MB to its base image`,
    ...Object.entries(labels)
      .filter(([label, value]) => config.Labels?.[`org.opencontainers.image.${label}`] !== value)
      .map(([label, value]) => `has no label org.opencontainers.image.${label}=${value}`),
    // The migration runs once.
    name !== 'migrate' && !config.Healthcheck && 'has no health check',
    ...developmentPackages(files).map((dependency) => `contains ${dependency}`),
    ...(config.Env ?? [])
      .filter((line) => secretVariable.test(line))
      .map((line) => `has a secret in ${line.split('=')[0]}`),
    ...history
      .filter((step) => secretArgument.test(step.created_by ?? ''))
      .map((step) => `was built by ${step.created_by}`),
    // What a package of the registry contains is public.
    ...files
      .filter(({ path }) => secretFile.test(path) && !path.includes('/node_modules/'))
      .map(({ path }) => `contains ${path}`),
  ];
  return faults.filter(Boolean).map((fault) => `${name} ${fault}`);
}

/** How many layers come from the base image: those before the first step of our Dockerfile. */
function baseLayers(name, history) {
  const first = name === 'pgbouncer' ? /apt-get/ : /WORKDIR/;
  const steps = history.findIndex((step) => first.test(step.created_by ?? ''));
  return history.slice(0, steps).filter((step) => !step.empty_layer).length;
}

/** Development packages that no package of the services needs too. */
function developmentPackages(files) {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const installed = files.map(({ path }) => /^(?:\.\/)?app\/node_modules\/((?:@[^/]+\/)?[^/@]+)\/$/.exec(path)?.[1]);
  return installed.filter((dependency) => dependency in devDependencies && packages[`node_modules/${dependency}`]?.dev);
}
