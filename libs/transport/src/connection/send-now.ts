import type { ChainableCommander } from 'ioredis';

/**
 * Sends a pipeline of one command at once and returns its result. Commands collected over one event-loop turn must not
 * wait for another, which automatic pipelining would do.
 */
export async function sendNow<Result>(pipeline: ChainableCommander): Promise<Result> {
  const results = await pipeline.exec();
  const [error, result] = results![0]!;
  if (error) throw error;
  return result as Result;
}
