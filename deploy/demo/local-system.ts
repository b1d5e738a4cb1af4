import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const contentOf = (name: string): { path: string; content: Record<string, string | undefined> } => {
  const path = join(process.env.DATA_DIR ?? '.data', name);
  return { path, content: existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {} };
};

/** The address of this folder's system, which `npm start` records while it runs. */
export const localUrl = (): string =>
  contentOf('running.json').content.baseUrl ?? `http://127.0.0.1:${process.env.PORT ?? '8080'}`;

/** A key that `npm start` created and stored. @throws Error when it never ran here */
export function localSecret(name: 'apiKey' | 'adminApiKey'): string {
  const { path, content } = contentOf('secrets.json');
  const secret = content[name];
  if (!secret) throw new Error(`No ${name} in ${path}: run npm start first, or pass the address and the key`);
  return secret;
}
