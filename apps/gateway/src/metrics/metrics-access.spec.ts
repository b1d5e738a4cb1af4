import { useDatabase } from '@spooled/testing';
import { useGateways } from '../gateway.fixture.js';

const paths = ['/metrics', '/api/v1/metrics', '/api/v1/metrics/prometheus'];
const token = 'the token of this scraper';
const production = { SPOOLED_ENV: 'production', JWT_SECRET: 'a secret of these specs that is long enough' };

describe('metrics on the public port', () => {
  const start = useGateways(useDatabase());

  async function statusesOf(env: Record<string, string>, headers: Record<string, string>[]): Promise<number[][]> {
    const gateway = await start(env);
    const ask = async (url: string) => {
      const responses = await Promise.all(headers.map((each) => gateway.app.inject({ url, headers: each })));
      return responses.map(({ statusCode }) => statusCode);
    };
    return Promise.all(paths.map(ask));
  }

  it.each([
    ['production', production],
    ['development', {}],
  ])('need METRICS_TOKEN if it is set: %s', async (_, env) => {
    const headers: Record<string, string>[] = [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: `Bearer ${token}` },
    ];
    const statuses = await statusesOf({ ...env, METRICS_TOKEN: token }, headers);
    expect(statuses).toEqual(paths.map(() => [401, 401, 200]));
  });

  it('are 404 in production without METRICS_TOKEN', async () => {
    const statuses = await statusesOf(production, [{}, { authorization: 'Bearer anything' }]);
    expect(statuses).toEqual(paths.map(() => [404, 404]));
  });

  it('are public outside production, and ignore credentials', async () => {
    const statuses = await statusesOf({}, [{}, { authorization: 'Bearer anything' }]);
    expect(statuses).toEqual(paths.map(() => [200, 200]));
  });
});
