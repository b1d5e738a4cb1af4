import { build } from 'rolldown';
import { bundleOptions } from '../../../../rolldown.config.mjs';

// node build-worker.mjs <file>: the workers of a chaos run as one file, because Node knows no aliases.

await build({
  ...bundleOptions,
  input: 'apps/e2e/src/chaos/worker-process.ts',
  logLevel: 'warn',
  output: { file: process.argv[2], format: 'esm', codeSplitting: false },
});
