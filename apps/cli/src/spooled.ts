#!/usr/bin/env node
import { processIo } from './process-io.js';
import { run } from './run.js';

const { code, isInterrupted } = await run(process.argv.slice(2), processIo());
process.exitCode = code;
// Otherwise it would wait until its output is read.
if (isInterrupted) process.exit();
