import { readdirSync, readFileSync } from 'node:fs';
import { dottedNames, outgoingWebhookSchemas } from '@spooled/contracts';
import { allRoutes } from './api-description.js';
import { describedRoute } from './described-responses.js';
import { publishedRpcs } from './published-rpcs.js';

/** The public API by kind; each entry must be tested by at least one spec. */
export interface Promises {
  routes: string[];
  rpcs: string[];
  liveEvents: string[];
  webhookEvents: string[];
}

const routeName = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

export function promises(): Promises {
  return {
    routes: allRoutes().map(routeName),
    rpcs: publishedRpcs().map((rpc) => rpc.replace('/', '.')),
    liveEvents: Object.keys(dottedNames),
    webhookEvents: [...outgoingWebhookSchemas.webhookEvents],
  };
}

/** These test all routes alike, so they do not prove what one route promises. */
const general = /^apps\/e2e\/src\/(contract-matrix|grpc-matrix|isolation[\w-]*|compatibility)\.spec\.ts$/;

/** Order of preference: specs of a resource against the whole stack, other specs against the stack, the rest. */
const rank = (file: string) => (file.startsWith('apps/e2e/src/rest-') ? 0 : file.startsWith('apps/e2e/') ? 1 : 2);

/** Files below a folder without generated ones, as paths from the root of the repository. */
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`)
    .filter((file) => !/\/(node_modules|generated)\//.test(file));

const byRank = (a: string, b: string): number => rank(a) - rank(b) || (a < b ? -1 : 1);

const textsOf = (files: string[]): Map<string, string> =>
  new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));

/** Specs of the services and end-to-end specs, by path. */
export const specFiles = (): Map<string, string> =>
  textsOf(
    filesBelow('apps')
      .filter((file) => file.endsWith('.spec.ts') && !general.test(file))
      .sort(byRank),
  );

/** All files, except generated ones, that may cite the id of a promise, by path. */
export function writtenFiles(): Map<string, string> {
  const atRoot = readdirSync('.', { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'package-lock.json')
    .map(({ name }) => name);
  return textsOf([...['apps', 'libs', 'prisma', 'deploy', 'docs'].flatMap(filesBelow), ...atRoot].sort(byRank));
}

/** The ids of promises (`SP-21`) that a text cites. */
export const promiseIdsIn = (text: string): string[] => text.match(/\b(?:SP|PB|MQ|KF|BX)-\d+\b/g) ?? [];

/** The promises that a spec proves, once for each title that cites them. Comments do not count. */
export const promisesProvenIn = (spec: string): string[] => promiseIdsIn(spec.replaceAll(/^ *(\/\/|\/?\*).*$/gm, ''));

const quoted = "(?:`([^`]*)`|'([^']*)')";
const callsByName = new RegExp(`\\.(get|post|put|patch|delete)\\(\\s*${quoted}`, 'g');
const callsByWord = new RegExp(`'(GET|POST|PUT|PATCH|DELETE)',\\s*${quoted}`, 'g');
const fetches = new RegExp(`(?:fetch|listen)\\(\\s*${quoted}(?:,\\s*\\{\\s*method: '(\\w+)')?`, 'g');

/** The text with constants replaced by the paths that they contain. */
function withoutConstants(spec: string): string {
  let text = spec;
  for (const [, name, path] of spec.matchAll(/const (\w+) = '(\/[^']*)';/g)) {
    text = text.replaceAll(`\${${name}}`, path!).replaceAll(new RegExp(`([(,] ?)${name}(?=[,)])`, 'g'), `$1'${path}'`);
  }
  return text;
}

export function routesCalledIn(text: string): Set<string> {
  const spec = withoutConstants(text);
  const calls = [
    ...[...spec.matchAll(callsByName), ...spec.matchAll(callsByWord)].map(([, method, ...path]) => ({ method, path })),
    ...[...spec.matchAll(fetches)].map(([, template, literal, method]) => ({ method, path: [template, literal] })),
  ];
  const called = new Set<string>();
  for (const { method = 'GET', path } of calls) {
    const url = (path[0] ?? path[1])!.replace(/^\$\{[^}]*\}(?=\/)/, '').replaceAll(/\$\{[^}]*\}/g, 'x');
    for (const candidate of [url, `/api/v1${url}`]) {
      const route = describedRoute(method.toUpperCase(), candidate);
      if (route) called.add(routeName(route));
    }
  }
  return called;
}

/** Whether a spec contains a quoted name, such as an RPC or an event. */
export const isNamedIn = (spec: string, name: string): boolean =>
  ["'", '`', '"', '/'].some((before) => ["'", '`', '"', '?'].some((after) => spec.includes(before + name + after)));
