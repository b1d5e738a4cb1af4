import { setInterval } from 'node:timers';
import { npmParent } from './npm-parent.mjs';

// A script started by npm: reports it, and exits when npm has exited.
const npm = npmParent();
npm?.onEnd(() => {
  console.log('npm ended');
  process.exit(0);
});
console.log(npm ? `watching ${process.pid}` : 'nobody to watch');
if (npm) setInterval(() => undefined, 60_000);
