#!/usr/bin/env node
import { run } from './run.js';

const { code, isInterrupted } = await run(process.argv.slice(2));
process.exitCode = code;
// Otherwise it would wait until its output is read.
if (isInterrupted) process.exit();
