import { RequestTurns } from './request-turns.js';

/** Enters requests and records the order in which they begin. */
function turnsOf() {
  const turns = new RequestTurns();
  const begun: string[] = [];
  const enter = async (tenant: string, bytes = 0) => {
    const turn = turns.enter(tenant, bytes);
    if (turn) await turn;
    begun.push(tenant);
  };
  return { begun, enter };
}

describe('turns of requests', () => {
  it('BX-03 let a request of another organization begin before the rest of a flood that arrived earlier', async () => {
    const { begun, enter } = turnsOf();
    const flood = Array.from({ length: 200 }, () => enter('flood'));
    await enter('quiet');
    expect(begun.length).toBeLessThan(40);
    await Promise.all(flood);
    expect(begun).toHaveLength(201);
  });

  it('have fewer requests the larger their bodies are', async () => {
    const { begun, enter } = turnsOf();
    const flood = Array.from({ length: 50 }, () => enter('flood', 60_000));
    await enter('quiet');
    expect(begun.length).toBeLessThan(5);
    await Promise.all(flood);
  });

  it('delay nothing while few requests arrive', async () => {
    const { begun, enter } = turnsOf();
    for (const tenant of ['a', 'b', 'c']) void enter(tenant);
    expect(begun).toEqual(['a', 'b', 'c']);
    await new Promise((resolve) => setImmediate(resolve));
    void enter('d');
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });
});
