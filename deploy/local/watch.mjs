import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { build, generate, root } from './prepare.mjs';
import { say } from './terminal.mjs';

/** Editors write a file in several steps, and a change often touches several files. */
const quietMs = 200;

/**
 * Builds again whenever a source changes, and tells `onBuilt` which bundles are new (their folders below dist/).
 * A build that fails is reported and the services go on as they are.
 */
export function watchSources(onBuilt) {
  let timer;
  let busy = Promise.resolve();
  const rebuild = async () => {
    try {
      await generate();
      const built = await build();
      if (built.length > 0) await onBuilt(built);
    } catch (error) {
      say(error.message);
    }
  };
  const onChange = (_event, file) => {
    if (!/\.(ts|sql|lua|prisma|proto)$/.test(file ?? '') || /\.spec\.ts$/.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => (busy = busy.then(rebuild)), quietMs);
  };
  const folders = ['apps', 'libs', 'prisma'].filter((name) => existsSync(join(root, name)));
  for (const folder of folders) watch(join(root, folder), { recursive: true }, onChange);
  say(`Watching ${folders.join(', ')} for changes.`);
}
