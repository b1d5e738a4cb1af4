import { EventEmitter } from 'node:events';
import { defineJob, PermanentError } from 'spooled-sdk';
import { z } from 'zod';

interface Message {
  role: 'user' | 'assistant' | 'tool';
  text: string;
}

/** What the model says next: an answer, or the tool that it wants to use. */
interface Reply {
  text: string;
  tool?: { name: keyof typeof tools; input: string };
}

export const tools = {
  stock: async (item: string): Promise<string> => `${item}: ${item.length} left`,
};

/** The model of this example. It looks at the stock once, and then answers. */
export const model = {
  async *stream(messages: Message[], _signal: AbortSignal): AsyncGenerator<string, Reply> {
    const { role, text } = messages.at(-1)!;
    if (role === 'user') return { text: 'I look it up.', tool: { name: 'stock', input: text } };
    for (const word of text.split(' ')) yield `${word} `;
    return { text };
  },
};

/** Words of the runs of this process as they come, by id of the job. Who watches from elsewhere reads `progress`. */
export const words = new EventEmitter<Record<string, [string]>>();

const mostTurns = 10;

/**
 * Each turn is a step: an attempt after a crash or a deploy pays for none twice, and continues the conversation where it was. A
 * cancelled run aborts the request to the model.
 */
export const agent = defineJob('agent', {
  payload: z.object({ question: z.string().min(1) }),
  retries: 5,
  backoff: { strategy: 'exponential', delay: '2s', maxDelay: '5m' },
  timeout: '10m',
}).handle(async ({ question }, { step, progress, signal, job }) => {
  const messages: Message[] = [{ role: 'user', text: question }];
  for (let turn = 1; turn <= mostTurns; turn++) {
    const reply = await step(`turn ${turn}`, () => say(job.id, model.stream(messages, signal)));
    messages.push({ role: 'assistant', text: reply.text });
    await progress(10 * turn, reply.text.slice(0, 200));
    const { tool } = reply;
    if (!tool) return { answer: reply.text, turns: turn };
    const text = await step(`tool of turn ${turn}`, () => tools[tool.name](tool.input));
    messages.push({ role: 'tool', text });
  }
  throw new PermanentError(`No answer after ${mostTurns} turns`);
});

async function say(id: string, stream: AsyncGenerator<string, Reply>): Promise<Reply> {
  for (;;) {
    const { done, value } = await stream.next();
    if (done) return value;
    words.emit(id, value);
  }
}
