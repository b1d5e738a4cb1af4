import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import { testSpooled } from 'spooled-embedded/testing';
import { image, outside, resize } from './jobs.ts';

const url = process.env.TEST_DATABASE_URL!;
afterEach(() => mock.restoreAll());

test('publishes an image once when all of its sizes are there, and renders only what failed again', async () => {
  await using spooled = await testSpooled(url, { jobs: [image, resize] });
  const publish = mock.method(outside, 'publish', async () => undefined);
  let isFull = true;
  const render = mock.method(outside, 'render', async (file: string, width: number) => {
    if (width === 1024 && isFull) throw new Error('no memory is left');
    return `${file}@${width}`;
  });
  await image.enqueue({ source: 'https://example.com/cat.png' });
  await spooled.drain();
  assert.equal(publish.mock.callCount(), 0);
  isFull = false;
  await spooled.advance('10m');
  await spooled.drain();
  const files = ['files/cat.png@64', 'files/cat.png@256', 'files/cat.png@1024'];
  await spooled.assertCompleted(image, { result: { files }, times: 1 });
  assert.deepEqual([publish.mock.callCount(), render.mock.callCount()], [1, 4]);
});

test('fails when a size is still missing after an hour', async () => {
  await using spooled = await testSpooled(url, { jobs: [image] });
  await image.enqueue({ source: 'https://example.com/cat.png' });
  await spooled.drain();
  await spooled.assertEnqueued(resize, { times: 3 });
  for (let attempt = 0; attempt < 4; attempt++) {
    await spooled.advance('1h');
    await spooled.drain();
  }
  await spooled.assertFailed(image, { times: 1 });
});
