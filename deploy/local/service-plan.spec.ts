import { inspectedService, planService, serviceNames } from './service-plan.js';

const system = {
  databaseUrl: '',
  databaseSystemUrl: '',
  redisUrl: null,
  jwtSecret: '',
  adminApiKey: '',
  dataDir: '',
};
const planOf = (name: (typeof serviceNames)[number], inspect: boolean) =>
  planService({
    root: '/',
    name,
    ports: { host: '127.0.0.1', port: 1, metricsPort: 2 },
    proxied: {},
    system,
    inspect,
  });

describe('npm start -- --inspect', () => {
  it.each(serviceNames)('opens the debugger of %s alone, in addition to its flags', (name) => {
    const usual = planOf(name, false).nodeFlags!;
    expect(usual.some((flag) => flag.startsWith('--inspect'))).toBe(false);
    expect(planOf(name, inspectedService(name) === name).nodeFlags).toEqual([...usual, '--inspect=127.0.0.1:9229']);
  });

  it('refuses a name that is no service, and needs none', () => {
    expect(() => inspectedService('gatway')).toThrow('--inspect takes one of engine, ');
    expect(inspectedService(undefined)).toBeUndefined();
  });
});
