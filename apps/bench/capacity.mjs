import { bootstrap, build, exitWith, root } from '../../deploy/local/prepare.mjs';

// npm run capacity: computes docs/capacity.md from bench reports. Flags: npm run capacity -- --help
try {
  await bootstrap();
  await build('bench');
} catch (error) {
  exitWith(error);
}
const { capacity } = await import('../../dist/capacity/main.js');
process.exit(capacity(root, process.argv.slice(2)));
