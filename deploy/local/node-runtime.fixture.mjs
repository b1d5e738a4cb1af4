import { setInterval } from 'node:timers';
import { continueOnSupportedNode } from './node-runtime.mjs';

// A script that believes to be on an old Node when it is started, and says where it goes on.
const isFirst = !process.env.SPOOLED_NODE_RUNTIME;
await continueOnSupportedNode(isFirst ? { version: '20.20.2', path: '/usr/bin/node' } : undefined);
process.once('SIGTERM', () => {
  console.log('stopping');
  process.exit(7);
});
console.log(`${isFirst ? 'first' : 'second'} ${process.argv[2]} ${process.execPath}`);
setInterval(() => undefined, 60_000);
