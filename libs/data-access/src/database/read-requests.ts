import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Set while a request is answered that only reads. Its transactions run again on another connection if theirs is lost: a pooler that
 * shuts down closes connections between two statements as well.
 */
export const readRequests = new AsyncLocalStorage<true>();
