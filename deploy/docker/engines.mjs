import { spawnSync } from 'node:child_process';

/** How each program builds an image from the Dockerfile and saves one to a file of one format. */
const engines = {
  docker: { build: ['build'], save: (image, file) => ['save', '--output', file, image], runs: true },
  // OCI images have no health check.
  podman: {
    build: ['build', '--format', 'docker'],
    save: (image, file) => ['save', '--format', 'docker-archive', '--output', file, image],
    runs: true,
  },
  buildah: {
    build: ['build', '--format', 'docker'],
    save: (image, file) => ['push', image, `docker-archive:${file}:${image}`],
    runs: false,
  },
};

export const engineNames = Object.keys(engines);

/** The engine of this name, or the first that is there. @throws Error if there is none */
export function findEngine(name) {
  const program = name ?? engineNames.find((one) => spawnSync(one, ['version']).status === 0);
  if (!program) throw new Error(`no container engine answers: install ${engineNames.join(', ')}, or start it`);
  return { program, ...engines[program] };
}
