import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { models } from '../../libs/queue/models/models.mjs';
import { bootstrap, exitWith, root } from './prepare.mjs';

// npm run models -- [--samples 1000]: simulates the models of the life of a job (libs/queue/models). The correct design keeps its rules
// in as many runs, and reaches the states that make the rules say something; each broken variant violates its rule.

const { values } = parseArgs({ options: { samples: { type: 'string', default: '1000' } } });
const samples = Number(values.samples);
if (!Number.isInteger(samples) || samples < 1) {
  console.error('Usage: npm run models -- [--samples <number>]');
  process.exit(2);
}
const searched = 3_000;
const quint = join(root, 'node_modules/@informalsystems/quint/dist/src/cli.js');

/** @returns {{ status: number | null, output: string }} */
function simulate(file, main, invariant, options) {
  const args = ['run', join(root, 'libs/queue/models', file), `--main=${main}`, `--invariant=${invariant}`];
  // The other backend is a program that is downloaded.
  args.push('--backend=typescript', ...options);
  const { status, stdout, stderr } = spawnSync(process.execPath, [quint, ...args], { encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

function checkCorrect({ file, steps, reached }) {
  const options = [`--max-samples=${samples}`, `--max-steps=${steps}`, '--seed=1', '--witnesses', ...reached];
  const { status, output } = simulate(file, 'correct', 'safe', options);
  if (status !== 0) return output;
  const missed = reached.filter((name) => !new RegExp(`${name} was witnessed in [1-9]`).test(output));
  return missed.length > 0 ? `never reached: ${missed.join(', ')}` : null;
}

function checkBroken({ file, steps }, { name, violates, seed }) {
  const options = [`--max-samples=${searched}`, `--max-steps=${steps}`, `--seed=${seed}`, '--verbosity=1'];
  const { output } = simulate(file, name, violates, options);
  return output.includes('Invariant violated') ? null : `${violates} holds: ${output}`;
}

try {
  await bootstrap();
} catch (error) {
  exitWith(error);
}
let failed = 0;
function report(what, problem) {
  console.log(`${problem === null ? '✓' : '✕'} ${what}${problem === null ? '' : `\n${problem}`}`);
  if (problem !== null) failed++;
}
for (const model of models) {
  report(`${model.file}: ${samples} runs keep the rules`, checkCorrect(model));
  for (const variant of model.broken) {
    report(`${model.file}: ${variant.name} violates ${variant.violates}`, checkBroken(model, variant));
  }
}
process.exit(failed === 0 ? 0 : 1);
