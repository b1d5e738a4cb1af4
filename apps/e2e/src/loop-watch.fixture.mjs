import { openSync, readSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setImmediate, setInterval } from 'node:timers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Loaded into the services by `node --import`. Each connection to the service's socket in LOOP_WATCH_DIR returns the longest time that
// the event loop was blocked since the previous connection, in CPU time of the main thread, which depends little on other load.
const { LOOP_WATCH_DIR } = process.env;
const service = /apps\/(\w+)\//.exec(process.argv[1] ?? '')?.[1];
if (LOOP_WATCH_DIR && service) watch(join(LOOP_WATCH_DIR, service));

function watch(socket) {
  const cpuMs = mainThreadTime();
  let last = cpuMs();
  let longest = 0;
  setInterval(() => {
    const now = cpuMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1).unref();
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc');
  createServer((client) => {
    client.once('data', (command) => {
      if (String(command) === 'memory') collectGarbage();
      const { heapUsed, external } = process.memoryUsage();
      client.end(JSON.stringify({ longestMs: longest, usedMb: (heapUsed + external) / 2 ** 20 }));
      setImmediate(() => {
        last = cpuMs();
        longest = 0;
      });
    });
  })
    .listen(socket)
    .unref();
}

function mainThreadTime() {
  if (process.platform !== 'linux') {
    return () => process.cpuUsage().user / 1000;
  }
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`);
  const text = Buffer.alloc(64);
  return () => Number(text.toString('latin1', 0, readSync(file, text, 0, 64, 0)).split(' ', 1)[0]) / 1e6;
}
