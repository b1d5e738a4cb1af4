import { EmbeddedFixture } from './embedded.fixture.js';
import type { EmbeddedSettings } from './index.js';

let fixture: EmbeddedFixture;
beforeAll(async () => {
  fixture = await EmbeddedFixture.open();
});
afterAll(() => fixture?.close());

/** As an application could have them for services of its own. */
const environment = {
  QUEUE_DEFAULT_MAX_RETRIES: '7',
  QUEUE_DEFAULT_TIMEOUT_SECS: '7',
  QUEUE_MAX_PAYLOAD_SIZE_BYTES: 'many',
  SPOOLED_PLAN_LIMITS_JSON: '{"free": {"max_active_jobs": 0}}',
  CALLBACK_HTTP_HOSTS: 'internal.example',
  SPOOLED_ENV: 'development',
  RUST_ENV: 'development',
};

describe('BX-18 the settings of an embedded process', () => {
  const before = { ...process.env };
  afterEach(() => {
    for (const name of Object.keys(environment)) delete process.env[name];
    Object.assign(process.env, before);
  });

  const job = { queueName: 'mail', payload: {} };
  const plainHttp = { ...job, completionWebhook: 'http://internal.example/' };

  it('are not those of the application it runs in', async () => {
    Object.assign(process.env, environment);
    const spooled = await fixture.start({ organization: await fixture.organization({ plan: 'free' }) });
    const { id } = await spooled.jobs.create(job);
    expect(await spooled.jobs.get(id)).toMatchObject({ maxRetries: 3, timeoutSeconds: 300 });
    await expect(spooled.jobs.create(plainHttp)).rejects.toThrow('HTTPS');
  });

  it('are options', async () => {
    const settings: EmbeddedSettings = {
      defaultMaxRetries: 7,
      defaultTimeoutSeconds: 8,
      maxPayloadBytes: 2048,
      production: false,
      callbackHttpHosts: ['internal.example'],
      planLimits: { free: { max_active_jobs: 1 } },
    };
    const spooled = await fixture.start({ settings, organization: await fixture.organization({ plan: 'free' }) });
    await expect(spooled.jobs.create({ ...job, payload: 'x'.repeat(2100) })).rejects.toThrow('2048');
    const { id } = await spooled.jobs.create(plainHttp);
    expect(await spooled.jobs.get(id)).toMatchObject({ maxRetries: 7, timeoutSeconds: 8 });
    await expect(spooled.jobs.create(job)).rejects.toThrow('limit reached');
  });

  it('are no variables given as an option', async () => {
    await expect(fixture.start({ env: environment } as object)).rejects.toThrow('env: no such option');
  });

  it.each<[object, string]>([
    [{ maxRetries: 1 }, 'settings.maxRetries: no such setting'],
    [{ defaultMaxRetries: 101 }, 'settings.defaultMaxRetries: '],
    [{ maxBatchJobs: 0 }, 'settings.maxBatchJobs: '],
    [{ defaultTimeoutSeconds: 'soon' }, 'settings.defaultTimeoutSeconds: '],
    [{ production: 'yes' }, 'settings.production: must be a boolean'],
    [{ callbackHttpHosts: ['internal.example'] }, 'settings.callbackHttpHosts: must be empty in production'],
    [{ planLimits: { gold: {} } }, 'settings.planLimits: unknown plan "gold"'],
    [{ planLimits: { free: { max_jobs: 1 } } }, 'settings.planLimits'],
  ])('refuse %j by name', async (settings, message) => {
    await expect(fixture.start({ settings })).rejects.toThrow(message);
  });
});
