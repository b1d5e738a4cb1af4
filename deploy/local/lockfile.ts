import { satisfies } from 'semver';

/** What npm writes for each package. */
export interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  /** Whether the install script of a package may run; a name may carry a version. */
  allowScripts?: Record<string, boolean>;
}

const strong = /^sha512-[A-Za-z0-9+/]{86}==$/;
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/**
 * What is wrong with a lock file: a package whose content nothing verifies, that comes from elsewhere than the registry, that runs a script
 * nobody decided about, or that is not what package.json asks for.
 */
export function lockfileProblems(packages: Record<string, LockedPackage>, manifest: Manifest): string[] {
  const locked = Object.entries(packages).filter(([path, { link }]) => path !== '' && !link);
  return [...locked.flatMap(([path, entry]) => packageProblems(path, entry, manifest)), ...asked(packages, manifest)];
}

function packageProblems(path: string, entry: LockedPackage, { allowScripts = {} }: Manifest): string[] {
  const problems = [];
  if (!strong.test(entry.integrity ?? '')) problems.push(`${path} has no SHA-512 of its content`);
  // Without a host a lock file serves every registry and mirror; other protocols bypass the check of the content.
  if (entry.resolved !== undefined) problems.push(`${path} names where it comes from: ${entry.resolved}`);
  if (entry.hasInstallScript && !(nameOf(path) in allowScripts))
    problems.push(`${path} has an install script that allowScripts does not decide about`);
  return problems;
}

function asked(packages: Record<string, LockedPackage>, manifest: Manifest): string[] {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  const wanted = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
  return wanted.flatMap(([name, range]) => {
    const version = packages[`node_modules/${name}`]?.version;
    if (version === undefined) return [`${name} is in package.json but not locked`];
    const plain = range.replace(/^npm:.*@/, '');
    return satisfies(version, plain, { includePrerelease: true })
      ? []
      : [`${name} is locked at ${version}, not ${range}`];
  });
}
