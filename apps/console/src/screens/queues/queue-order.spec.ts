import { countByStatus, worstFirst } from './queue-order';

const queue = (
  queueName: string,
  status: 'ok' | 'stopped' | 'limited',
  ready = 0,
  oldestReadySeconds: number | null = null,
) => ({
  queueName,
  status,
  jobs: { ready: { count: ready, atLeast: false }, oldestReadySeconds },
});

const names = (queues: Parameters<typeof worstFirst>[0]): string[] =>
  worstFirst(queues).map(({ queueName }) => queueName);

describe('the order of queues', () => {
  it('begins with the worst state, whatever waits', () => {
    expect(names([queue('a', 'ok', 900, 900), queue('b', 'limited'), queue('c', 'stopped', 1, 1)])).toEqual([
      'c',
      'b',
      'a',
    ]);
  });

  it('ranks queues of one state by jobs times age, then by name', () => {
    const many = queue('many', 'stopped', 100, 10);
    const old = queue('old', 'stopped', 2, 3_600);
    expect(names([queue('b', 'stopped'), queue('a', 'stopped'), many, old])).toEqual(['old', 'many', 'a', 'b']);
  });

  it('counts the queues of each state', () => {
    expect([...countByStatus([queue('a', 'ok'), queue('b', 'stopped'), queue('c', 'ok')])]).toEqual([
      ['ok', 2],
      ['stopped', 1],
    ]);
  });
});
