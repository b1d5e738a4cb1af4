import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { reports, runJest } from './jest.mjs';
import { root } from './prepare.mjs';
import { prepareTests } from './test-run.mjs';

// npm run isolation: one organization attacks another with everything that the OpenAPI document, the proto files and the catalogue of the
// database offer, by each kind of credential; then the same with planted leaks. Prints the cases and the leaks, and
// writes docs/isolation-report.md when there are none.

await prepareTests();
const [attack, planted] = ['isolation.data', 'planted-leaks.data'].map((name) => join(reports, name));
const specs = ['isolation-run', 'planted-leaks'].map((name) => `apps/e2e/src/isolation/${name}.faults.spec.ts`);
const code = await runJest('isolation', ['--selectProjects=faults', '--maxWorkers=1', '--runTestsByPath', ...specs], {
  SPOOLED_ISOLATION_REPORT: attack,
  SPOOLED_ISOLATION_PLANTED: planted,
});
const read = (file, otherwise) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : otherwise);
const { cases, leaks } = read(attack, { cases: [], leaks: ['the attack did not end'] });
const found = read(planted, []);
const rows = [...cases, ['all', cases.reduce((sum, [, count]) => sum + count, 0)]];
console.log(rows.map(([kind, count]) => `${String(count).padStart(7)}  ${kind}`).join('\n'));
console.log(`${leaks.length} leaks, ${found.length} planted leaks found`);
for (const leak of leaks) console.log(`  ${leak}`);
if (code === 0) await writeReport();
process.exit(code);

async function writeReport() {
  const text = `# Isolation report

Written by \`npm run isolation\`. [reliability.md](reliability.md#isolation) says what is tried and how leaks are found.

| what | cases |
| --- | ---: |
${rows.map(([kind, count]) => `| ${kind} | ${count} |`).join('\n')}

Leaks: **${leaks.length}**.

## Planted leaks

All ${found.length} are found:

${found.map((name) => `- ${name}`).join('\n')}
`;
  const file = join(root, 'docs/isolation-report.md');
  writeFileSync(file, (await format(file, text)).code);
}
