/**
 * Longest name of a queue, in code points. Inbound webhooks, changed schedules and settings accept it, so whatever reads, claims, serves or
 * watches a queue does.
 */
export const longestQueueName = 255;

/** Longest name under which jobs, schedules and workflows are created; the published API refuses longer ones. */
export const longestNewQueueName = 100;

/** Unicode letters and digits, `-`, `_`, `.`; not led by `.` or `-`. */
export const queueNamePattern = /^(?![.-])[\p{L}\p{N}_.-]*$/u;

/** As `queueNamePattern`, with `*` in any place, for scopes of keys and filters of streams. Only `*` alone has a meaning: all queues. */
export const queueWildcardPattern = /^[\p{L}\p{N}\-_.*]*$/u;
