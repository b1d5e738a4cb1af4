import { bootstrap, build, exitWith, root } from '../../deploy/local/prepare.mjs';
import * as terminal from '../../deploy/local/terminal.mjs';

// npm run bench: requires only Node. Flags: npm run bench -- --help
process.chdir(root);
try {
  await bootstrap();
  await build();
} catch (error) {
  exitWith(error);
}
const { bench } = await import('../../dist/bench/main.js');
process.exit(await bench(root, terminal, process.argv.slice(2)));
