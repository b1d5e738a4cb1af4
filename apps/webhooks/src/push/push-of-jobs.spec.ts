import { eventually, gate, Receiver } from '@spooled/testing';
import { signatureOf } from '../callback/signature.js';
import type { RunningService } from '../service.fixture.js';
import { PushFixture } from './push.fixture.js';

let fixture: PushFixture;
let service: RunningService;
let receiver: Receiver;

beforeAll(async () => {
  fixture = await PushFixture.open();
  service = await fixture.startForAll();
});
beforeEach(async () => {
  ({ receiver } = await fixture.begin());
});
afterEach(() => fixture.end());
afterAll(async () => {
  await service?.stop();
  await fixture?.close();
});

const configure = (...settings: Parameters<PushFixture['configure']>) => fixture.configure(...settings);
const jobs = (...wanted: Parameters<PushFixture['jobs']>) => fixture.jobs(...wanted);
const job = (id: string) => fixture.job(id);
const reached = (id: string, status: string) => fixture.reached(id, status);

describe('a job with its own callback', () => {
  it('MQ-10 is posted to it with its headers and secret, and not with those of its queue', async () => {
    const queue = { callback_url: receiver.url('/queue'), callback_headers: { 'X-Queue': 'q' }, callback_secret: 'q' };
    await configure(queue);
    const settings = { callback_url: receiver.url('/own'), callback_headers: { 'X-Own': 'o' }, callback_secret: 'o' };
    const [own] = await jobs(1, { settings: JSON.stringify(settings) });
    const [plain] = await jobs(1);
    await Promise.all([reached(own!, 'completed'), reached(plain!, 'completed')]);
    const callOf = (id: string) => receiver.calls.find(({ headers }) => headers['x-spooled-job-id'] === id)!;
    const { path, headers, body } = callOf(own!);
    expect([path, headers['x-own'], headers['x-queue']]).toEqual(['/own', 'o', undefined]);
    expect(headers['x-spooled-signature']).toBe(signatureOf('o', Number(headers['x-spooled-timestamp']), body));
    expect([callOf(plain!).path, callOf(plain!).headers['x-queue']]).toEqual(['/queue', 'q']);
  });

  it('MQ-10 needs no receiver of its queue; a job without any becomes a dead letter', async () => {
    // Since then its queue pushes.
    const [none] = await jobs(1);
    await configure({ push: true });
    const [own] = await jobs(1, { settings: JSON.stringify({ callback_url: receiver.url() }) });
    await Promise.all([reached(own!, 'completed'), reached(none!, 'deadletter')]);
    expect((await job(none!)).last_error).toContain('No callback URL');
  });

  it('MQ-20 is retried by its own backoff, and its receiver that is down does not stop its queue', async () => {
    await configure({ callback_url: receiver.url('/queue'), retry_delay_ms: 3_600_000, retry_jitter_ms: 0 });
    const own = { callback_url: 'http://localhost:9/', retry_strategy: 'fixed', retry_delay_ms: 1 };
    const settings = JSON.stringify(own);
    // Fewer calls than open a circuit.
    const failing = await jobs(2, { settings, maxRetries: 1 });
    await Promise.all(failing.map((id) => reached(id, 'deadletter')));
    expect(await job(failing[0]!)).toMatchObject({
      retry_count: 1,
      last_error: expect.stringContaining('ECONNREFUSED'),
    });
    const [plain] = await jobs(1);
    await reached(plain!, 'completed');
  });

  it('MQ-10 keeps its attempts while its own receiver does not respond, and is called when it does', async () => {
    await configure({
      callback_url: receiver.url('/queue'),
      concurrency: 5,
      retry_strategy: 'fixed',
      retry_delay_ms: 1,
    });
    const own = await Receiver.open();
    // Nothing is answered before the service has seen that the receiver is away.
    const away = gate();
    let refusals = 0;
    const held: { destroy(): void }[] = [];
    own.respond = (_call, response) => {
      if (refusals === 5) return void away.opened.then(() => response.end('back'));
      held.push(response);
      // Together, so that no retry is answered before the last of them has failed.
      if (held.length === 5) for (const one of held) one.destroy();
      refusals = held.length;
    };
    const settings = (path: string) => JSON.stringify({ callback_url: own.url(path) });
    const first = await jobs(5, { settings: settings('/first'), maxRetries: 10 });
    const later: string[] = [];
    await eventually(() => expect(refusals).toBeGreaterThanOrEqual(5));
    await eventually(() =>
      expect(service.lines).toContainEqual(
        expect.objectContaining({ level: 'warn', origin: new URL(own.url()).origin, pauseMs: 1_000 }),
      ),
    );
    away.open();
    // Another path of the same receiver.
    later.push(...(await jobs(3, { settings: settings('/later'), maxRetries: 0 })));
    const [plain] = await jobs(1);
    await reached(plain!, 'completed');
    await Promise.all([...first, ...later].map((id) => reached(id, 'completed')));
    const all = await Promise.all(first.map((id) => job(id)));
    expect(all.reduce((sum, { retry_count }) => sum + Number(retry_count), 0)).toBe(5);
    await own.close();
  });
});
