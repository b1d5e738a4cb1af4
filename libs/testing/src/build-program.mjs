import { build } from 'rolldown';
import { bundleOptions } from '../../../rolldown.config.mjs';

// node build-program.mjs <module> <file>: a program that specs start, as one file (spec-program.ts).

const [input, file] = process.argv.slice(2);
await build({ ...bundleOptions, input, logLevel: 'warn', output: { file, format: 'esm', codeSplitting: false } });
