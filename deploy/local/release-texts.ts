// What `npm run release` changes in files.

const unreleased = /^## \S+ \(unreleased\)$/m;

/** A version as releases have it: no pre-release, so that each tag is complete. */
export const isVersion = (text: string): boolean => /^\d+\.\d+\.\d+$/.test(text);

/** The changelog with version and date in the heading of what is unreleased. @throws Error if there is no such heading */
export function releasedChangelog(text: string, version: string, date: string): string {
  if (!unreleased.test(text)) throw new Error('CHANGELOG.md has no heading "## <version> (unreleased)"');
  return text.replace(unreleased, `## ${version} (${date})`);
}

/** The files that name the version of the product, each with what stands before it. */
export const versioned: Record<string, string[]> = {
  'package.json': ['"version": "'],
  'libs/sdk/package.json': ['"version": "'],
  'libs/sdk/src/spooled.ts': ["userAgent: 'spooled-sdk-typescript/"],
  'libs/embedded/package.json': ['"version": "', '"spooled-sdk": "'],
  'apps/cli/package.json': ['"version": "'],
  'deploy/dev/package.json': ['"version": "'],
  'apps/bench/src/embedded/embedded-peer.ts': ["name: 'embedded', version: '"],
  'package-lock.json': ['"name": "spooled",\n  "version": "', '"name": "spooled",\n      "version": "'],
  'deploy/kubernetes/overlays/production/kustomization.yaml': ['newTag: '],
  'deploy/helm/spooled/Chart.yaml': ['\nversion: ', 'appVersion: '],
  'docs/operations.md': ['registry.example.com/spooled/$target:'],
};

/**
 * The text of a file with the next version in the place of the current one.
 * @throws Error if the current version does not stand where it should
 */
export function withVersion(text: string, prefixes: string[], current: string, next: string): string {
  return prefixes.reduce((changed, prefix) => {
    if (!changed.includes(prefix + current)) throw new Error(`does not contain ${prefix}${current}`);
    return changed.replaceAll(prefix + current, prefix + next);
  }, text);
}
