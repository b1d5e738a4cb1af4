import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { services, settingsOf } from '@spooled/testing';
import { parse } from 'yaml';
import { chart, renderChart } from './chart.js';
import { containersOf, type Manifest, render } from './rendered.js';

interface Schema {
  properties?: Record<string, Schema>;
  definitions?: Record<string, object>;
}

const schemaFile = join(chart, 'values.schema.json');
const schema = parse(readFileSync(join(import.meta.dirname, 'chart-schema.yaml'), 'utf8')) as Schema;
const values = parse(readFileSync(join(chart, 'values.yaml'), 'utf8')) as Record<string, unknown>;
const required = { postgres: { host: 'postgres.example' } };

/** Set by the chart, which opens these ports, and mounts no certificate for a server's own TLS. */
const fixed = /^(HOST|PORT|GRPC_PORT|METRICS_PORT|GRPC_TLS_.*|REALTIME_URL|WEBHOOKS_URL|RUST_ENV)$/;

/** Names that the values may set for a service: what it declares, except secrets and what the chart sets. */
async function settableOf(service: string, overlay: Manifest[]): Promise<[string[], string]> {
  const { names } = await settingsOf(service);
  const deployment = overlay.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === service)!;
  const env = containersOf(deployment).flatMap((container) => container.env ?? []);
  const secret = new Set(env.filter(({ valueFrom }) => valueFrom).map(({ name }) => name));
  const prefixes = names.filter((name) => name.endsWith('*')).map((name) => `^${name.slice(0, -1)}[A-Z0-9_]+$`);
  const single = names.filter((name) => !name.endsWith('*') && !secret.has(name) && !fixed.test(name));
  return [single.sort(), prefixes[0] ?? '^$'];
}

/** The schema in which an object with properties has no others. */
function closed(part: unknown): unknown {
  if (part === null || typeof part !== 'object') return part;
  if (Array.isArray(part)) return part.map(closed);
  const members = Object.entries(part).map(([name, value]) => [name, closed(value)]);
  return {
    ...('properties' in part && { type: 'object', additionalProperties: false }),
    ...Object.fromEntries(members),
  };
}

/** A line for each value and definition, so that a difference names it. */
function textOf({ properties, definitions, ...schema }: Schema): string {
  const lines = (members: object) =>
    Object.entries(members).map(([name, value]) => `\n    ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const head = JSON.stringify(schema, null, 2).slice(0, -2);
  return `${head},\n  "properties": {${lines(properties!).join()}\n  },\n  "definitions": {${lines(definitions!).join()}\n  }\n}\n`;
}

describe('SP-104 the values of the chart', () => {
  it('may set exactly the settings that services declare, except secrets and ports', async () => {
    const overlay = render('production');
    const definitions = { ...schema.definitions };
    for (const service of services) {
      const [names, pattern] = await settableOf(service, overlay);
      definitions[`${service}Settings`] = { propertyNames: { anyOf: [{ enum: names }, { pattern }] } };
    }
    const text = textOf(closed({ ...schema, definitions }) as Schema);
    if (process.env.UPDATE_CHART) writeFileSync(schemaFile, text);
    else expect(readFileSync(schemaFile, 'utf8')).toBe(text);
  });

  it('are all described by the schema, which knows no others', () => {
    const unlike = (own: unknown, at: Schema | undefined, path: string): string[] => {
      if (!at?.properties || own === null || typeof own !== 'object') return [];
      const names = new Set([...Object.keys(own), ...Object.keys(at.properties)]);
      return [...names].flatMap((name) => {
        const value = (own as Record<string, unknown>)[name];
        const here = `${path}${name}`;
        if (here === 'global') return [];
        if (value === undefined || !at.properties![name]) return [here];
        return unlike(value, at.properties![name], `${here}.`);
      });
    };
    // Requests and limits may name resources that the values do not.
    const known = unlike(values, schema, '').filter((path) => !path.includes('.resources.'));
    expect(known).toEqual([]);
  });

  it.each<[object, string]>([
    [{ gatewey: {} }, 'gatewey'],
    [{ gateway: { replica: 3 } }, 'replica'],
    [{ gateway: { autoscaling: { memory: 80 } } }, 'memory'],
    [{ settings: { LOG_LEVLE: 'debug' } }, 'LOG_LEVLE'],
    [{ settings: { JWT_SECRET: 'in a ConfigMap' } }, 'JWT_SECRET'],
    [{ settings: { DATABASE_URL: 'postgres://…' } }, 'DATABASE_URL'],
    [{ engine: { settings: { CORS_ALLOWED_ORIGINS: '*' } } }, 'CORS_ALLOWED_ORIGINS'],
    [{ gateway: { settings: { PORT: 80 } } }, 'PORT'],
    [{ postgres: { tls: 'yes' } }, 'tls'],
    [{ engine: { replicas: 0 } }, 'replicas'],
    [{ image: { tag: 'Upper_case' } }, 'tag'],
  ])('are refused with an error that names what is wrong: %j', (wrong, named) => {
    const merged = { ...required, ...wrong, ...('postgres' in wrong && { postgres: { host: 'x', tls: 'yes' } }) };
    expect(() => renderChart(merged)).toThrow(named);
  });

  it.each<[object, string]>([
    [{}, 'postgres.host is required'],
    [{ ...required, ingress: { enabled: true } }, 'ingress.host is required'],
    [{ ...required, gatewayApi: { enabled: true, host: 'x.example' } }, 'gatewayApi.parentRefs are required'],
    [
      { ...required, engine: { autoscaling: { enabled: true, by: 'keda' } } },
      'engine.autoscaling.prometheus is required',
    ],
  ])('are refused when something is missing: %j', (incomplete, reason) => {
    expect(() => renderChart(incomplete)).toThrow(reason);
  });

  it('become texts of environment variables, large numbers without an exponent', () => {
    const objects = renderChart({
      ...required,
      settings: { HTTP_MAX_BODY_BYTES_IN_FLIGHT: 134_217_728, OTEL_TRACES_SAMPLE_RATIO: 0.5, JSON_LOGS: false },
      engine: { settings: { ENGINE_MAX_IN_FLIGHT: 4_000_000 } },
    });
    const map = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'spooled-settings')!;
    expect(map.data).toMatchObject({
      HTTP_MAX_BODY_BYTES_IN_FLIGHT: '134217728',
      OTEL_TRACES_SAMPLE_RATIO: '0.5',
      JSON_LOGS: 'false',
    });
    const engine = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'engine')!;
    expect(engine.spec.template.spec.containers[0].env).toContainEqual({
      name: 'ENGINE_MAX_IN_FLIGHT',
      value: '4000000',
    });
  });

  it('are listed in the README', () => {
    const readme = readFileSync(join(chart, 'README.md'), 'utf8');
    const leaves = (own: unknown, path: string): string[] =>
      own === null || typeof own !== 'object' || Array.isArray(own) || Object.keys(own).length === 0
        ? [path]
        : Object.entries(own).flatMap(([name, value]) => leaves(value, path ? `${path}.${name}` : name));
    const documented = (path: string) => readme.includes(`\`${path}\``) || /\.resources\.|^settings\./.test(path);
    expect(leaves(values, '').filter((path) => !documented(path))).toEqual([]);
  });
});
