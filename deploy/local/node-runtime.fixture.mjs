import { setInterval } from 'node:timers';
import { continueOnSupportedNode } from './node-runtime.mjs';

// A script that simulates an old Node at start and reports on which Node it continues.
const isFirst = !process.env.SPOOLED_NODE_RUNTIME;
await continueOnSupportedNode(isFirst ? { version: '20.20.2', path: '/usr/bin/node' } : undefined);
process.once('SIGTERM', () => {
  console.log('stopping');
  process.exit(7);
});
console.log(`${isFirst ? 'first' : 'second'} ${process.argv[2]} ${process.execPath}`);
setInterval(() => undefined, 60_000);
