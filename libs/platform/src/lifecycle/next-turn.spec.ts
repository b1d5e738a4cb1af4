import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { nextTurn } from './next-turn.js';

const sockets: Socket[] = [];
const server = createServer();
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

async function pair(): Promise<{ near: Socket; far: Socket }> {
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [far] = (await once(server, 'connection')) as [Socket];
  sockets.push(near, far);
  return { near, far };
}

it('lets pending I/O be handled first, also when called from an I/O callback', async () => {
  const [one, other] = [await pair(), await pair()];
  const order: string[] = [];
  other.far.once('data', () => order.push('data'));
  await new Promise<void>((resolve) => {
    one.far.once('data', () => {
      // It is ready at once, and handled in the next I/O phase of the event loop.
      other.near.write('x');
      void nextTurn().then(() => {
        order.push('next turn');
        resolve();
      });
    });
    one.near.write('x');
  });
  expect(order).toEqual(['data', 'next turn']);
});
