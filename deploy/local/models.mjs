import { join } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { models } from '../../libs/queue/models/models.mjs';
import { refuse } from './fault-run.mjs';
import { bootstrap, exitWith, root } from './prepare.mjs';

// npm run models -- [--samples 1000]: simulates the models of the life of a job (libs/queue/models). The correct design keeps its rules
// in as many runs, and reaches the states that make the rules say something; each broken variant violates its rule.

const { values } = parseArgs({ options: { samples: { type: 'string', default: '1000' } } });
const samples = Number(values.samples);
if (!Number.isInteger(samples) || samples < 1) refuse('Usage: npm run models -- [--samples <number>]');
const searched = 3_000;

await bootstrap().catch(exitWith);
// In this process: its command reads and types a file again for each run, which takes nine tenths of the time.
const quint = await import('@informalsystems/quint/dist/src/cliCommands.js');
// The other backend is a program that is downloaded.
const defaults = { backend: 'typescript', init: 'init', step: 'step', witnesses: [], verbosity: 1 };

/** A model that can be simulated. @throws Error with what is wrong in its file */
async function read(file) {
  const args = { input: join(root, 'libs/queue/models', file) };
  const loaded = await quint.load(args);
  const typed = await (await loaded.asyncChain(quint.parse)).asyncChain(quint.typecheck);
  if (typed.isLeft()) throw new Error(`${file}: ${typed.value.msg} ${JSON.stringify(typed.value.stage.errors)}`);
  return typed.value;
}

/** @returns {Promise<string>} what it prints, and the message of a failure */
async function simulate(model, main, invariant, { seed, ...options }) {
  const lines = [];
  const { log } = console;
  console.log = (...words) => lines.push(words.join(' '));
  try {
    const args = { ...model.args, ...defaults, main, invariant, seed: BigInt(seed), ...options };
    const ended = await quint.runSimulator({ ...model, args });
    if (ended.isLeft()) lines.push(ended.value.msg);
  } finally {
    console.log = log;
  }
  return stripVTControlCharacters(lines.join('\n'));
}

async function checkCorrect(model, { steps, reached }) {
  const options = { maxSamples: samples, maxSteps: steps, seed: '1', witnesses: reached };
  const output = await simulate(model, 'correct', 'safe', options);
  if (!output.includes('No violation found')) return output;
  const missed = reached.filter((name) => !new RegExp(`${name} was witnessed in [1-9]`).test(output));
  return missed.length > 0 ? `never reached: ${missed.join(', ')}` : null;
}

async function checkBroken(model, { steps }, { name, violates, seed }) {
  const output = await simulate(model, name, violates, { maxSamples: searched, maxSteps: steps, seed });
  return output.includes('Invariant violated') ? null : `${violates} holds: ${output}`;
}

let failed = 0;
function report(what, problem) {
  console.log(`${problem === null ? '✓' : '✕'} ${what}${problem === null ? '' : `\n${problem}`}`);
  if (problem !== null) failed++;
}
for (const described of models) {
  const { file, broken } = described;
  const model = await read(file);
  report(`${file}: ${samples} runs keep the rules`, await checkCorrect(model, described));
  for (const variant of broken) {
    report(`${file}: ${variant.name} violates ${variant.violates}`, await checkBroken(model, described, variant));
  }
}
process.exit(failed === 0 ? 0 : 1);
