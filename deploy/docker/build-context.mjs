import { cpSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Copies what `docker build` would send to the engine: the checkout without what .dockerignore leaves out.
 *
 * @param {string} root of the checkout
 * @param {string} target folder, created
 */
export function copyBuildContext(root, target) {
  const isIgnored = ignoreRules(readFileSync(join(root, '.dockerignore'), 'utf8'));
  cpSync(root, target, {
    recursive: true,
    // An ignored folder is not entered, so exceptions of the form `!folder/below` would be missed; ours are all at the top.
    filter: (source) => source === root || !isIgnored(relative(root, source)),
  });
}

/** The last rule that matches a path or one of its folders decides, as in .dockerignore. */
export function ignoreRules(text) {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => ({ ignores: !line.startsWith('!'), pattern: toExpression(line.replace(/^!/, '')) }));
  return (path) => rules.findLast(({ pattern }) => pattern.test(path))?.ignores ?? false;
}

function toExpression(pattern) {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/|\*|\?/g, (sign) => ({ '**/': '(?:.*/)?', '*': '[^/]*', '?': '[^/]' })[sign]);
  return new RegExp(`^${source}(?:/.*)?$`);
}
