import { notFound, unavailable } from '@spooled/domain';
import { warmUp } from './warm-up.js';

async function lines(step: () => Promise<unknown>, stopping = new AbortController().signal): Promise<string[]> {
  const found: string[] = [];
  let others = 0;
  const logger = { info: (_fields: object, text: string) => void found.push(text) };
  await warmUp({ logger, stopping } as never, step, () => Promise.resolve(others++));
  expect(others).toBe(stopping.aborted ? 0 : 1);
  return found;
}

describe('the steps of a warm-up', () => {
  const isUnfinished = [expect.stringContaining('warm-up was not completed')];

  it.each<[string, () => Promise<unknown>, unknown[]]>([
    ['that are refused', () => Promise.reject(notFound('Job')), []],
    ['that find a store away', () => Promise.reject(unavailable('PostgreSQL')), isUnfinished],
    ['that fail for another reason', () => Promise.reject(new Error('defect')), isUnfinished],
  ])('%s do not keep the service from being ready', async (_, step, expected) => {
    expect(await lines(step)).toEqual(expected);
  });

  it('do not begin when the service stops', async () => {
    const step = () => Promise.reject(new Error('begun'));
    expect(await lines(step, AbortSignal.abort())).toEqual([]);
  });
});
