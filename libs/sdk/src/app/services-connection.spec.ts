import { Spooled } from '../spooled.js';
import { type DeclaredSchedule, storeSchedules } from './schedules.js';
import { ServicesConnection } from './services-connection.js';

const nightly: DeclaredSchedule = {
  ...{ name: 'nightly', cronExpression: '0 2 * * *', timezone: 'UTC', queueName: 'report', payloadTemplate: {} },
  ...{ maxRetries: 3, timeoutSeconds: 300, backoff: null, metadata: { defined_by_job: 'report' } },
};

/** Schedules at the services, as their API keeps them. All requests of a moment are answered together. */
class Services {
  readonly stored = new Map<string, object>();

  connection(): ServicesConnection {
    const fetch = async (url: string, { method, body }: RequestInit): Promise<Response> => {
      await new Promise(setImmediate);
      return this.answer(String(method), new URL(url).pathname.split('/')[4], String(body));
    };
    const client = new Spooled({ baseUrl: 'http://x', apiKey: 'key', fetch: fetch as typeof globalThis.fetch });
    return new ServicesConnection(client, undefined, undefined);
  }

  private answer(method: string, id: string | undefined, body: string): Response {
    if (method === 'GET') return Response.json([...this.stored.values()]);
    if (method === 'DELETE') {
      const isThere = this.stored.delete(id!);
      return isThere
        ? new Response(null, { status: 204 })
        : Response.json({ code: 'NOT_FOUND', message: 'Schedule not found' }, { status: 404 });
    }
    const made = {
      ...(JSON.parse(body) as object),
      id: String(this.stored.size + 1),
      created_at: '2030-01-01T00:00:00Z',
    };
    this.stored.set(made.id, made);
    return Response.json(made, { status: 201 });
  }
}

describe('SP-24 schedules of an app that starts in several processes at the same time', () => {
  const services = new Services();
  const startTwice = (declared: DeclaredSchedule[]) =>
    Promise.all([1, 2].map(() => storeSchedules(services.connection().schedules, ['report'], declared)));

  it('are created once, and deleted, by processes that all start', async () => {
    await startTwice([nightly]);
    expect([...services.stored.values()]).toMatchObject([{ id: '1', name: 'nightly' }]);
    await startTwice([]);
    expect(services.stored.size).toBe(0);
  });
});
