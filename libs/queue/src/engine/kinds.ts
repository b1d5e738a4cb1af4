import type { CommandKind } from '@spooled/contracts';

/** In this order within a transaction: all engines take locks in the same order, and a claim sees what was just enqueued. */
export const batchedKinds = [
  'job.enqueue',
  'job.complete',
  'job.completeMany',
  'job.fail',
  'job.renew',
  'job.claim',
] as const;
export type BatchedKind = (typeof batchedKinds)[number];
/** Rare ones, each in a transaction of its own. */
export type SingleKind = Exclude<CommandKind, BatchedKind>;

export const isBatched = (kind: CommandKind): kind is BatchedKind => (batchedKinds as readonly string[]).includes(kind);
