import { findIncompatibilities, type PayloadSchema, readPayloadSchema, SchemaProblem } from '@spooled/domain';
import { LRUCache } from 'lru-cache';
import { parentPort } from 'node:worker_threads';
import { checkPayload } from './check-payload.js';
import type { ReviewTask, ThreadCheck, ThreadReply, ThreadResults, ThreadTask } from './thread-tasks.js';

/** Characters of the texts of schemas that are ready. */
const maxKept = 1_048_576;
const ready = new LRUCache<string, PayloadSchema>({
  maxSize: maxKept,
  sizeCalculation: (_schema, text) => text.length,
});

/** @throws SchemaProblem */
function check({ schema: text, payload, root, maxIssues }: ThreadCheck): ThreadResults['check'] {
  const known = ready.get(text);
  const schema = known ?? readPayloadSchema(JSON.parse(text));
  if (!known) ready.set(text, schema);
  const readCharacters = known ? 0 : text.length;
  return { ...checkPayload(schema, JSON.parse(payload), { root, maxIssues }), readCharacters };
}

function review({ before, after, maxIssues }: ReviewTask): ThreadResults['review'] {
  const schema = JSON.parse(after) as unknown;
  readPayloadSchema(schema);
  const incompatible = before === null ? [] : findIncompatibilities(JSON.parse(before), schema, maxIssues);
  return { incompatible, readCharacters: after.length + (before?.length ?? 0) };
}

function run(task: ThreadTask): ThreadReply {
  try {
    return { result: task.kind === 'check' ? check(task) : review(task) };
  } catch (error) {
    if (!(error instanceof SchemaProblem)) throw error;
    return { problem: { path: error.path, reason: error.reason } };
  }
}

parentPort?.on('message', (task: ThreadTask) => parentPort?.postMessage(run(task)));
