import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger, createMetrics, HealthChecks, OperationsServer } from '@spooled/platform';
import { checkConfig, evaluateRules, root, services, settingsOf } from '@spooled/testing';
import { parse } from 'yaml';

interface Container {
  profiles?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  entrypoint?: string[];
  command?: string[];
}

interface ScrapeConfig {
  job_name: string;
  metrics_path?: string;
  authorization: { credentials_file: string };
  static_configs: { targets: string[] }[];
}

interface Prometheus {
  global: { external_labels: { documents_url: string } };
  rule_files: string[];
  scrape_configs: ScrapeConfig[];
}

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const compose = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, Container> };
const profile = Object.entries(compose.services).filter(([, { profiles }]) => profiles?.includes('monitoring'));
const { prometheus, grafana, tempo } = compose.services as Record<'prometheus' | 'grafana' | 'tempo', Container>;

/** Text of the file that a container finds at the path. */
function mounted({ volumes = [] }: Container, path: string): string {
  const volume = volumes.find((one) => one.endsWith(`:${path}:ro`));
  if (!volume) throw new Error(`${path} is not mounted`);
  return read(volume.split(':')[0]!);
}

const config = mounted(prometheus, '/etc/prometheus/prometheus.yaml');
const { global, rule_files, scrape_configs } = parse(config) as Prometheus;
const [scrape] = scrape_configs as [ScrapeConfig];
const alerts = mounted(prometheus, `/etc/prometheus/${rule_files[0]}`);
const targets = scrape.static_configs[0]!.targets;

describe('SP-105 the profile monitoring of docker-compose.yml', () => {
  it('adds Prometheus, Grafana and Tempo, which nothing else needs', () => {
    expect(profile.map(([name]) => name).sort()).toEqual(['grafana', 'prometheus', 'tempo']);
    const others = Object.entries(compose.services).filter(([, { profiles }]) => !profiles);
    expect(JSON.stringify(others)).not.toMatch(/prometheus|grafana|tempo/);
  });

  it('mounts files that exist', () => {
    const files = profile
      .flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(':')[0]!))
      .filter((path) => path.startsWith('.'));
    expect(files.length).toBeGreaterThan(4);
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('has a configuration and rules that Prometheus accepts', () => {
    const token = scrape.authorization.credentials_file;
    const files = { 'prometheus.yaml': config.replace(token, 'token'), [rule_files[0]!]: alerts, token: '' };
    expect(checkConfig('prometheus.yaml', files)).toBe('');
    expect(prometheus.command).toContain('--config.file=/etc/prometheus/prometheus.yaml');
  });

  it.each(services)('scrapes %s on the port and the path where it serves metrics', async (service) => {
    const { defaults } = await settingsOf(service);
    const { METRICS_PORT = defaults.METRICS_PORT } = compose.services[service]!.environment!;
    expect(targets).toContain(`${service}:${String(METRICS_PORT)}`);
    expect(targets).toHaveLength(services.length);
    const server = new OperationsServer({
      host: '127.0.0.1',
      port: 0,
      metrics: createMetrics({ hello: { type: 'counter', name: 'hello_total', help: 'Hello.' } }),
      health: new HealthChecks(),
      logger: createLogger({ service, level: 'silent' }),
    });
    try {
      const port = await server.start();
      // As sent without METRICS_TOKEN.
      const headers = { authorization: 'Bearer none' };
      const response = await fetch(`http://127.0.0.1:${port}${scrape.metrics_path ?? '/metrics'}`, { headers });
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('hello_total 0')]);
    } finally {
      await server.stop();
    }
  });

  it('fires alerts about a service that is down', () => {
    const series = `up{job="${scrape.job_name}",instance="${targets[0]}"}`;
    expect(evaluateRules(alerts, [{ fires: 'SpooledServiceDown', given: [{ series, values: '0x60' }] }])).toBe('');
  });

  it('gives Prometheus the token of the services and the address of the documents', () => {
    expect(prometheus.environment!.METRICS_TOKEN).toBe(compose.services.gateway!.environment!.METRICS_TOKEN);
    expect(prometheus.entrypoint!.join(' ')).toContain(`>${scrape.authorization.credentials_file} && exec prometheus`);
    expect(global.external_labels.documents_url).toBe('${DOCUMENTS_URL}');
    expect(Object.keys(prometheus.environment!)).toContain('DOCUMENTS_URL');
  });

  it('provisions Grafana with the dashboard and with sources that exist', () => {
    const sources = mounted(grafana, '/etc/grafana/provisioning/datasources/spooled.yaml');
    const { datasources } = parse(sources) as { datasources: { type: string; url: string; isDefault?: boolean }[] };
    const { http_listen_port } = (parse(mounted(tempo, '/etc/tempo.yaml')) as Tempo).server;
    expect(datasources.map(({ type, url, isDefault }) => [type, url, isDefault ?? false])).toEqual([
      ['prometheus', 'http://prometheus:9090', true],
      ['tempo', `http://tempo:${http_listen_port}`, false],
    ]);
    const providers = mounted(grafana, '/etc/grafana/provisioning/dashboards/spooled.yaml');
    const [provider] = (parse(providers) as { providers: { options: { path: string } }[] }).providers;
    expect(mounted(grafana, `${provider!.options.path}/dashboard.json`)).toBe(read('deploy/monitoring/dashboard.json'));
  });

  it('receives traces where the documents and .env.example send them', () => {
    const { endpoint } = (parse(mounted(tempo, '/etc/tempo.yaml')) as Tempo).distributor.receivers.otlp.protocols.http;
    const url = `http://tempo:${endpoint.split(':')[1]}`;
    expect(read('.env.example')).toContain(url);
    expect(read('docs/operations.md')).toContain(`OTEL_EXPORTER_OTLP_ENDPOINT=${url}`);
  });
});

interface Tempo {
  server: { http_listen_port: number };
  distributor: { receivers: { otlp: { protocols: { http: { endpoint: string } } } } };
}
