import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import { testSpooled } from 'spooled-embedded/testing';
import { agent, model, tools, words } from './jobs.ts';

const url = process.env.TEST_DATABASE_URL!;
afterEach(() => mock.restoreAll());

test('streams the words of an answer, and asks and uses nothing again after a failed attempt', async () => {
  await using spooled = await testSpooled(url, { jobs: [agent] });
  const asked = mock.method(model, 'stream');
  const used = mock.method(tools, 'stock');
  const { id } = await agent.enqueue({ question: 'tea' });
  const heard: string[] = [];
  words.on(id, (word) => {
    heard.push(word);
    // The connection to the model breaks after its first word.
    if (heard.length === 1) throw new Error('connection lost');
  });
  await spooled.drain();
  await spooled.assertCompleted(agent, { times: 0 });
  await spooled.advance('10m');
  await spooled.drain();
  await spooled.assertCompleted(agent, { result: { answer: 'tea: 3 left', turns: 2 }, times: 1 });
  assert.deepEqual(heard, ['tea: ', 'tea: ', '3 ', 'left ']);
  assert.deepEqual([asked.mock.callCount(), used.mock.callCount()], [3, 1]);
});

test('gives up a conversation without end', async () => {
  await using spooled = await testSpooled(url, { jobs: [agent] });
  mock.method(model, 'stream', async function* () {
    yield 'again';
    return { text: 'again', tool: { name: 'stock', input: 'tea' } };
  });
  await agent.enqueue({ question: 'tea' });
  await spooled.drain();
  await spooled.assertFailed(agent, { error: 'No answer after 10 turns', times: 1 });
});
