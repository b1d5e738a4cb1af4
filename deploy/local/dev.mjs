#!/usr/bin/env node
import './exit-with-parent.mjs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { npmParent } from './npm-parent.mjs';
import * as terminal from './terminal.mjs';

// `spooled-dev`, also run by `spooled dev`: the system of npm start from the published package, for the folder that it is called in.

const npm = npmParent();
const usage = `spooled-dev [--port <number>] [--data <folder>]

Starts a development system on this machine: PostgreSQL, Redis, the services and the console. Ctrl-C ends it.

  --port <number>   of REST and the console; default 8080, or PORT
  --data <folder>   where data, keys and logs stay; default .spooled, or DATA_DIR

GRPC_PORT (50051) and METRICS_PORT (9090) are settings, as is everything in docs/configuration.md. DATABASE_URL and REDIS_URL name
servers of yours, which are then used instead.`;

try {
  const { help, port, data } = options();
  if (help) console.log(usage);
  else {
    if (port !== undefined) process.env.PORT = port;
    process.env.DATA_DIR = resolve(data ?? (process.env.DATA_DIR || '.spooled'));
    const { startInstalled } = await import('../../dist/local/main.js');
    await startInstalled(join(import.meta.dirname, '../..'), terminal, npm);
  }
} catch (error) {
  console.error(`\nspooled-dev: ${error.message}`);
  process.exit(error.code?.startsWith('ERR_PARSE_ARGS') ? 2 : 1);
}

/** @throws TypeError of Node.js, naming an unknown option or an option without a value */
function options() {
  const types = { port: { type: 'string' }, data: { type: 'string' }, help: { type: 'boolean', short: 'h' } };
  return parseArgs({ options: types }).values;
}
