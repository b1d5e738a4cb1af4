import { readdirSync } from 'node:fs';
import { defineConfig } from 'rolldown';

// APP=<name> builds one service; without it every service and the local launcher are built.
const apps = process.env.APP
  ? [process.env.APP]
  : readdirSync('apps').filter((name) => !['e2e', 'dashboard'].includes(name));
const entries = [
  ...apps.map((name) => ({ input: `apps/${name}/src/main.ts`, dir: `dist/apps/${name}` })),
  ...(process.env.APP ? [] : [{ input: 'deploy/local/main.ts', dir: 'dist/local' }]),
];

export default entries.map(({ input, dir }) =>
  defineConfig({
    input,
    platform: 'node',
    tsconfig: 'tsconfig.base.json',
    moduleTypes: { '.sql': 'text', '.lua': 'text' },
    // npm packages stay outside, except the decorator helpers that the compiler itself inserts.
    external: (id) => /^(node:|[a-z@])/.test(id) && !/^(@spooled\/|@oxc-project\/)/.test(id),
    output: {
      dir,
      format: 'esm',
      sourcemap: true,
      entryFileNames: 'main.js',
      chunkFileNames: '[name].js',
      cleanDir: true,
    },
  }),
);
