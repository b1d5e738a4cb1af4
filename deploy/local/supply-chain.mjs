import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bootstrap, exitWith, root } from './prepare.mjs';

// npm run supply-chain [-- --require-audit]: checks package-lock.json, asks the registry for vulnerabilities of what is deployed, and writes
// the bill of materials (CycloneDX) to dist/sbom.cdx.json. Exceptions are in deploy/local/audit-exceptions.json, each with a last day.
// A registry without advisories, such as a mirror, or no network, is reported and no error, unless the audit is required.

const sbomFile = 'dist/sbom.cdx.json';

process.chdir(root);
await bootstrap().catch(exitWith);
// Node 26, on which this runs from here on, reads TypeScript.
const [{ lockfileProblems }, { auditProblems, notAudited }] = await Promise.all([
  import('./lockfile.ts'),
  import('./audit.ts'),
]);
const { values } = parseArgs({ options: { 'require-audit': { type: 'boolean', default: false } } });
const json = (file) => JSON.parse(readFileSync(file, 'utf8'));
const problems = lockfileProblems(json('package-lock.json').packages, json('package.json'));
console.log(`package-lock.json: ${Object.keys(json('package-lock.json').packages).length - 1} packages`);
audit();
writeSbom();
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? 'No problems' : `${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);

function audit() {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--omit=dev'], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  const report = parsed(stdout);
  const reason = notAudited(report);
  if (reason === undefined) {
    const today = new Date().toISOString().slice(0, 10);
    problems.push(...auditProblems(report, json('deploy/local/audit-exceptions.json'), today));
    return console.log('Vulnerabilities: asked the registry');
  }
  console.log(`Vulnerabilities: NOT CHECKED (${reason})`);
  if (values['require-audit']) problems.push('The audit is required, and the registry did not answer it');
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function writeSbom() {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--omit', 'dev'];
  const { status, stdout, stderr } = spawnSync('npm', args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status !== 0) return problems.push(`npm sbom failed: ${stderr.trim().split('\n').at(-1)}`);
  mkdirSync('dist', { recursive: true });
  writeFileSync(sbomFile, stdout);
  const { specVersion, components } = JSON.parse(stdout);
  console.log(`Bill of materials: ${components.length} components, CycloneDX ${specVersion}, in ${sbomFile}`);
}
