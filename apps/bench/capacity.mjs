import { build, install, requireNode, root } from '../../deploy/local/prepare.mjs';

// npm run capacity: computes docs/capacity.md from reports of the bench. Its flags: npm run capacity -- --help
requireNode();
try {
  await install();
  await build({ only: ['capacity'] });
} catch (error) {
  console.error(`\n${error.message}`);
  process.exit(1);
}
const { capacity } = await import('../../dist/capacity/main.js');
process.exit(capacity(root, process.argv.slice(2)));
