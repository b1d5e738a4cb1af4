import { build, generate, install, requireNode, root } from '../../deploy/local/prepare.mjs';
import * as terminal from '../../deploy/local/terminal.mjs';

// npm run bench: needs nothing but Node. Its flags: npm run bench -- --help
requireNode();
process.chdir(root);
try {
  await install();
  await generate();
  await build();
} catch (error) {
  console.error(`\n${error.message}`);
  process.exit(1);
}
const { bench } = await import('../../dist/bench/main.js');
process.exit(await bench(root, terminal, process.argv.slice(2)));
