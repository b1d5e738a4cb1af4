import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { nodeFlagsOf, serviceNames } from '@spooled/local';
import { serverSettings } from '@spooled/platform';
import { root, services, settingsOf } from '@spooled/testing';

interface Compose {
  services: Record<string, ComposeService>;
}

interface ComposeService {
  environment?: Record<string, string>;
  build?: { target: string };
  ports?: string[];
  restart?: string;
  stop_grace_period?: string;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: object;
  volumes?: string[];
  command?: string[];
  [hardening: string]: unknown;
}

const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
const compose = parse(text, { merge: true }) as Compose;

describe('SP-103 docker-compose.yml', () => {
  it.each(services)('sets all that %s requires and only what it declares', async (service) => {
    const settings = await settingsOf(service);
    const given = Object.keys(compose.services[service]!.environment!);
    expect(given.filter((name) => !settings.knows(name))).toEqual([]);
    expect(given).toEqual(expect.arrayContaining(settings.required));
  });

  it('uses only variables that .env.example names', () => {
    const example = readFileSync(join(root, '.env.example'), 'utf8');
    const asked = [...text.matchAll(/\$\{(\w+)[:}]/g)].map(([, name]) => name!);
    const named = new Set([...example.matchAll(/^(?:# )?(\w+)=/gm)].map(([, name]) => name!));
    expect(asked.filter((name) => !named.has(name))).toEqual([]);
  });

  it('starts with what the command in the README writes into .env', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const [, command] = /^(awk .*) >\.env$/m.exec(readme)!;
    const written = execFileSync('bash', ['-c', command!], { cwd: root, encoding: 'utf8' });
    const values = new Map([...written.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]));
    const required = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name!);
    expect(required.filter((name) => !/^[0-9a-f]{48}$/.test(values.get(name) ?? ''))).toEqual([]);
    expect(new Set(values.values()).size).toBe(values.size);
  });

  it('hardens every container of its own images', () => {
    const own = Object.entries(compose.services).filter(([, { build }]) => build);
    expect(own.map(([name]) => name).sort()).toEqual([...services, 'console', 'migrate', 'pgbouncer'].sort());
    for (const [name, service] of own) {
      const { read_only, cap_drop, security_opt, tmpfs } = service;
      const hardened = {
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        tmpfs: ['/tmp'],
      };
      expect([name, { read_only, cap_drop, security_opt, tmpfs }]).toEqual([name, hardened]);
    }
  });

  it.each(services)('starts %s after the migration and the stores, restarts it, and lets it shut down', (name) => {
    const service = compose.services[name]!;
    expect(service).toMatchObject({ restart: 'unless-stopped', init: false });
    expect(service.depends_on).toEqual({
      migrate: { condition: 'service_completed_successfully' },
      pgbouncer: { condition: 'service_healthy' },
      redis: { condition: 'service_healthy' },
    });
    expect(parseInt(service.stop_grace_period!)).toBeGreaterThan(
      serverSettings.SHUTDOWN_TIMEOUT_SECS.schema.parse(undefined),
    );
  });

  it('checks the health of the stores, keeps their data, and evicts nothing from Redis', () => {
    const { postgres, redis, migrate } = compose.services;
    expect([postgres, redis].map((one) => [typeof one?.healthcheck, one?.volumes?.[0]])).toEqual([
      ['object', 'postgres-data:/var/lib/postgresql'],
      ['object', 'redis-data:/data'],
    ]);
    expect(redis?.command?.join(' ')).toMatch(/--appendonly yes --maxmemory-policy noeviction --requirepass/);
    expect(migrate).toMatchObject({ restart: 'no', depends_on: { postgres: { condition: 'service_healthy' } } });
  });

  it('publishes ports on this machine alone, and none of the stores', () => {
    const ports = Object.entries(compose.services).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => [name, port]),
    );
    expect(ports.length).toBeGreaterThanOrEqual(services.length);
    expect(ports.filter(([, port]) => !/^\$\{\w+:-127\.0\.0\.1:\d+\}:\d+$/.test(port!))).toEqual([]);
    const others = ['console', 'prometheus', 'grafana'];
    expect(ports.filter(([name]) => ![...services, ...others].includes(name!))).toEqual([]);
  });

  it('SP-60 logs services in as the roles under row-level security, through the pooler but to listen, and only the migration as the owner', () => {
    const urls = Object.entries(compose.services).flatMap(([name, { environment = {} }]) =>
      Object.entries(environment)
        .filter(([, value]) => String(value).startsWith('postgres:'))
        .map(([setting, value]) => `${name} ${setting} ${value.replace(/:\$\{.*\}@/, '@')}`),
    );
    const ofServices = services.flatMap((name) => [
      `${name} DATABASE_URL postgres://spooled_app@pgbouncer:6432/spooled`,
      `${name} DATABASE_SYSTEM_URL postgres://spooled_system@pgbouncer:6432/spooled`,
    ]);
    const ofListeners = ['gateway', 'webhooks'].map(
      (name) => `${name} DATABASE_LISTEN_URL postgres://spooled_app@postgres:5432/spooled`,
    );
    const ofMigration = 'migrate DATABASE_DIRECT_URL postgres://spooled_owner@postgres:5432/spooled';
    expect(urls.sort()).toEqual([...ofServices, ...ofListeners, ofMigration].sort());
  });

  it('does not start without its secrets', () => {
    const secrets = [...text.matchAll(/\$\{(\w+_(?:PASSWORD|KEY|SECRET))([:}]\S?)/g)];
    // Without a secret their webhooks are refused.
    const optional = ['GITHUB_WEBHOOK_SECRET', 'STRIPE_WEBHOOK_SECRET'];
    const withDefault = secrets.filter(([, , rest]) => rest !== ':?').map(([, name]) => name);
    expect(withDefault.sort()).toEqual(optional);
    expect(secrets.length).toBeGreaterThan(10);
  });

  it("starts the console's own server only by its profile, without a secret and without waiting for others", async () => {
    const { profiles, environment, depends_on, restart } = compose.services.console!;
    expect({ profiles, depends_on, restart }).toEqual({ profiles: ['console'], restart: 'unless-stopped' });
    expect(Object.keys(environment!).sort()).toEqual(['LOG_LEVEL', 'METRICS_TOKEN', 'SPOOLED_ENV']);
    const optional = Object.entries(compose.services).filter(([, one]) => one.profiles);
    expect(optional.map(([name]) => name)).toEqual(['console', 'prometheus', 'grafana', 'tempo']);
  });

  it('builds only targets of the Dockerfile', () => {
    const dockerfile = readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8');
    const stages = [...dockerfile.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, name]) => name!);
    const targets = Object.values(compose.services).flatMap(({ build }) => build?.target ?? []);
    expect(stages).toEqual(expect.arrayContaining(targets));
    expect(targets).toHaveLength(services.length + 3);
  });

  it.each(serviceNames)('runs %s with the flags that the launcher gives it', (service) => {
    const dockerfile = readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8');
    const command = ['node', ...nodeFlagsOf(service), `dist/apps/${service}/main.js`];
    expect(dockerfile).toContain(`CMD [${command.map((word) => JSON.stringify(word)).join(', ')}]`);
  });
});
