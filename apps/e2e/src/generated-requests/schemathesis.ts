import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gatewayRoutes } from '../api-description.js';
import type { Tenant } from '../two-tenants.js';

/** What `npm run fuzz` asks for. */
export interface Fuzz {
  python: string;
  /** Where Schemathesis is installed. */
  folder: string;
  seconds: number;
  seed: string;
}

/** Routes that would end the run: streams, the tenant and its key; and two that answer 501, because this server has no such service. */
const left = [
  'Realtime_ws',
  'Realtime_events',
  'Realtime_job',
  'Realtime_queue',
  'Organizations_remove',
  'AdminOrganizations_remove',
  'ApiKeys_update',
  'ApiKeys_revoke',
  'Billing_portal',
  'Email_start',
];

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

/** Ids of the tenant for the paths, so that requests reach what is behind a lookup. */
const configurationFor = ({ ids }: Tenant): string =>
  gatewayRoutes()
    .filter(({ path }) => path.includes('{'))
    .map(({ path }) => {
      const values = [...path.matchAll(/\/\{([^}]+)\}/g)].map(({ 1: name, index }) => {
        const own = ids[path.slice('/api/v1'.length, index).replaceAll(/\{[^}]+\}/g, '{}')] ?? [];
        return own.length === 0 ? [] : [`"path.${name}" = ${JSON.stringify(own)}`];
      });
      return `[[operations]]\ninclude-path = "${path}"\nparameters = { ${values.flat().join(', ')} }\n`;
    })
    .join('\n');

/**
 * Requests with the key of a tenant and of the administrator.
 * @returns whether all answers were as the document says, and what Schemathesis prints
 */
export async function sendGeneratedRequests(
  { python, folder, seconds, seed }: Fuzz,
  target: { baseUrl: string; adminKey: string; tenant: Tenant; workingFolder: string },
): Promise<{ passed: boolean; output: string }> {
  const configuration = join(target.workingFolder, 'schemathesis.toml');
  writeFileSync(configuration, configurationFor(target.tenant));
  const options = [
    ['--url', target.baseUrl],
    ['--header', `Authorization: Bearer ${target.tenant.key}`],
    ['--header', `X-Admin-Key: ${target.adminKey}`],
    ['--phases', 'coverage,fuzzing,stateful'],
    ['--max-time', String(seconds)],
    ['--seed', seed],
    ['--checks', checks.join()],
    ['--request-timeout', '60'],
    ['--workers', '2'],
    ['--warnings', 'off'],
    ...left.map((id) => ['--exclude-operation-id', id]),
  ].flat();
  const program = join(folder, 'bin', 'schemathesis');
  const document = join(process.cwd(), 'docs/openapi.json');
  const args = [program, '--config-file', configuration, 'run', document, '--continue-on-failure', ...options];
  const env = { ...process.env, PYTHONPATH: [folder, process.env.PYTHONPATH ?? []].flat().join(delimiter) };
  const child = spawn(python, args, { cwd: target.workingFolder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit') as Promise<[number | null]>]);
  return { passed: code === 0, output };
}
