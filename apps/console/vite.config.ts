import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const root = join(import.meta.dirname, '../..');
const outDir = join(root, 'dist/apps/console');

/** Writes `.br` and `.gz` beside each text file, so that the gateway compresses nothing while it serves. */
const precompress = (): Plugin => ({
  name: 'precompress',
  apply: 'build',
  closeBundle() {
    for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.(js|css|html|svg)$/.test(entry.name)) continue;
      const path = join(entry.parentPath, entry.name);
      const content = readFileSync(path);
      writeFileSync(`${path}.br`, brotliCompressSync(content));
      writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
    }
  },
});

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), precompress()],
  resolve: { alias: { '@spooled/sdk/browser': join(root, 'libs/sdk/src/browser.ts') } },
  build: {
    outDir,
    emptyOutDir: true,
    manifest: true,
    // The Content-Security-Policy allows no inline scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The first versions with light-dark() in style sheets.
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    reportCompressedSize: false,
    rolldownOptions: {
      // What several screens share is one file. Otherwise each set of screens has a file for what it shares, and a screen loads 41 to 70 files.
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 4 }] } },
      // A module of Node.js that a browser lacks is a mistake of an import, not something to replace by nothing.
      onwarn(warning, warn) {
        if (/externalized for browser compatibility/.test(warning.message)) throw new Error(warning.message);
        warn(warning);
      },
    },
  },
  server: {
    // `npm start` in one terminal, `npx vite --config apps/console/vite.config.ts` in another.
    proxy: { '/api': { target: process.env.SPOOLED_URL ?? 'http://127.0.0.1:8080', changeOrigin: false } },
  },
});
