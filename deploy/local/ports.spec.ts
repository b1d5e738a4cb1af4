import { freePort } from './ports.js';

describe('free ports', () => {
  it('are chosen once, also by calls at the same time', async () => {
    const chosen = await Promise.all(Array.from({ length: 50 }, freePort));
    expect(new Set(chosen).size).toBe(50);
  });
});
