import { freePort, portIsFree } from './ports.js';

describe('free ports', () => {
  it('are chosen once, also by calls at the same time', async () => {
    const chosen = await Promise.all(Array.from({ length: 120 }, freePort));
    expect(new Set(chosen).size).toBe(120);
  });

  it('are in a block that no other process can take, because this one listens on its first port', async () => {
    const port = await freePort();
    expect(await portIsFree(port)).toBe(true);
    expect(await portIsFree(port - (port % 50))).toBe(false);
  });
});
