import { spawn, spawnSync } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { changedFiles, contentsOf } from './changed-files.mjs';
import { build, nxCommand, root } from './prepare.mjs';
import { say } from './terminal.mjs';

/**
 * Builds again whenever a file of a project changes, and tells `onBuilt` which services have a new bundle.
 * A build that fails is reported and the services continue as they are.
 */
export function watchSources(onBuilt) {
  let queued = false;
  let busy = Promise.resolve();
  const rebuild = async () => {
    queued = false;
    const before = bundles();
    try {
      await build();
      const changed = changedFiles(before, bundles()).map((file) => basename(dirname(file)));
      if (changed.length > 0) await onBuilt(changed);
    } catch (error) {
      say(error.message);
    }
  };
  onEachChange(() => {
    if (!queued) busy = busy.then(rebuild);
    queued = true;
  });
  say('Watching for changes.');
}

/** By content: Nx also writes bundles again that have not changed. */
const bundles = () => contentsOf('dist/apps/*/*.{js,json,yaml}', root);

/** Nx watches by its daemon, which is off otherwise (nx.json); it ends with this process, as the watcher does. */
function onEachChange(listener) {
  const [node, args] = nxCommand(['watch', '--all', '--', 'echo', 'changed']);
  const endWithUs = ['--import', new URL('exit-with-parent.mjs', import.meta.url).href];
  const watcher = spawn(node, [...endWithUs, ...args], {
    cwd: root,
    // NX_USE_LOCAL: the daemon would look for a newer Nx on the network.
    env: { ...process.env, NX_DAEMON: 'true', NX_USE_LOCAL: 'true' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  createInterface({ input: watcher.stdout }).on('line', listener);
  process.once('exit', () => spawnSync(...nxCommand(['daemon', '--stop']), { cwd: root }));
}
