import { useTenant } from '@spooled/testing';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { useGateway } from '../gateway.fixture.js';

const megabyte = 1024 * 1024;

const env = { HTTP_MAX_BODY_BYTES_IN_FLIGHT: String(4 * megabyte), REGISTRATION_MODE: 'closed' };
const { database, gateway } = useGateway(env);
const tenant = useTenant(database);
let port: number;
const sockets: Socket[] = [];

beforeAll(async () => {
  await gateway.app.listen(0, '127.0.0.1');
  port = (gateway.app.getHttpServer().address() as AddressInfo).port;
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Sends the headers of a request without its body; resolves with the response. */
async function announce(path: string, bytes: number, ...more: string[]): Promise<{ response: string; socket: Socket }> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  const head = [
    `POST /api/v1${path} HTTP/1.1`,
    'host: x',
    'content-type: application/json',
    `content-length: ${bytes}`,
  ];
  socket.write(`${[...head, ...more].join('\r\n')}\r\n\r\n`);
  const [response] = (await once(socket, 'data')) as [Buffer];
  return { response: response.toString(), socket };
}

describe('bodies', () => {
  it.each([
    ['/jobs', 'authorization: Bearer wrong', 401],
    ['/jobs/bulk', 'x-api-key: wrong', 401],
    ['/jobs/claim', 'x-nothing: shown', 401],
    ['/admin/organizations', 'x-admin-key: wrong', 401],
    ['/organizations', 'x-admin-key: wrong', 403],
    ['/no-such-route', 'x-nothing: shown', 404],
  ])('are not awaited before a request to %s with "%s" is answered: %i', async (path, header, status) => {
    const { response } = await announce(path, 4.5 * megabyte, header);
    expect(response.split(' ', 2)[1]).toBe(String(status));
  });

  it('of refused requests leave the connection usable', async () => {
    const body = 'x'.repeat(2 * megabyte);
    const { response, socket } = await announce('/jobs', body.length, 'x-api-key: wrong');
    expect(response).toContain('401');
    socket.write(body);
    socket.write(`GET /api/v1/queues HTTP/1.1\r\nhost: x\r\nx-api-key: ${tenant.key}\r\n\r\n`);
    expect(String((await once(socket, 'data'))[0])).toContain('200 OK');
  });

  it('of unauthenticated callers are limited to a small size', async () => {
    const { response } = await announce('/auth/login', megabyte);
    expect(response.split(' ', 2)[1]).toBe('413');
  });

  it('SP-86 beyond HTTP_MAX_BODY_BYTES_IN_FLIGHT get 503, and are accepted again when others have ended', async () => {
    const key = `x-api-key: ${tenant.key}`;
    const held = await announce('/jobs', Math.floor(3.9 * megabyte), key, 'expect: 100-continue');
    expect(held.response).toContain('100 Continue');
    const headers = { 'x-api-key': tenant.key, 'content-type': 'application/json' };
    const enqueue = () =>
      fetch(`http://127.0.0.1:${port}/api/v1/jobs`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ queue_name: 'q', payload: {} }),
      });
    const refused = await enqueue();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    held.socket.destroy();
    for (;;) if ((await enqueue()).status === 201) break;
  });
});
