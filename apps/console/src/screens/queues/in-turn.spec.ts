import { inTurn } from './in-turn';

const failing = (name: string) =>
  name === 'c' ? Promise.reject(new Error('The queue is being deleted')) : Promise.resolve();

it('says with which queue an act on several failed, and how many it was done for', async () => {
  await expect(inTurn(['a', 'b', 'c', 'd'], failing)).rejects.toThrow(
    'c: The queue is being deleted. It is done for 2 of 4 queues.',
  );
});

it('leaves the error of a single queue as it is', async () => {
  await expect(inTurn(['c'], failing)).rejects.toThrow(/^The queue is being deleted$/);
});
