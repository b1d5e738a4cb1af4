import type { ChainableCommander } from 'ioredis';

/**
 * Sends a pipeline of one command and answers as the command would. What was gathered over a turn of the event loop must not
 * wait for the end of another one, which is when automatic pipelining would send it.
 */
export async function sendNow<Answer>(pipeline: ChainableCommander): Promise<Answer> {
  const results = await pipeline.exec();
  const [error, answer] = results![0]!;
  if (error) throw error;
  return answer as Answer;
}
