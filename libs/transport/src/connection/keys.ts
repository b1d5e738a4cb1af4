/** Streams of events: WebSockets, streams of all events, streams of one job or queue. */
export type StreamKind = 'websocket' | 'events' | 'watch';
/** What is counted apart: also gRPC streams of jobs. */
export type SlotKind = StreamKind | 'grpc';

const streamCounters: Record<SlotKind, string> = {
  websocket: 'ws_connections',
  events: 'sse_connections',
  watch: 'sse_watch_connections',
  grpc: 'grpc_streams',
};

/**
 * Every Redis key and channel of the product. What carries tenant data names its organization first; what is looked up
 * before the organization is known (credentials, addresses) is keyed by a digest. Braces pin related keys to one slot.
 */
export const keys = {
  /** Stream of commands that wait for an engine or are in work. */
  commandStream: (shard: string) => `spooled:cmd:{${shard}}`,
  /** Sorted set of living engines; the score is the moment (Redis clock, ms) at which a heartbeat lapses. */
  engines: (shard: string) => `spooled:engines:{${shard}}`,
  replyChannel: (clientId: string) => `spooled:reply:${clientId}`,
  /** An answer too large for publish/subscribe, fetched once by its caller. */
  largeReply: (replyChannel: string, commandId: string) => `${replyChannel}:${commandId}`,

  events: (organizationId: string) => `org:${organizationId}:events`,
  recentEvents: (organizationId: string) => `org:${organizationId}:recent_events`,
  /** There while a stream of the organization is open, and for as long as one that broke off may resume. */
  audience: (organizationId: string) => `org:${organizationId}:audience`,
  /** Carries the ids of organizations that somebody begins to listen to. */
  audiences: 'spooled:audiences',
  queueWakeUp: (organizationId: string, queueName: string) => `org:${organizationId}:queue:${queueName}`,
  queueControl: (organizationId: string, queueName: string) => `org:${organizationId}:queue:${queueName}:control`,

  /** Hash: the tokens of a queue with a rate. */
  queueTokens: (organizationId: string, queueName: string) => `org:${organizationId}:queue:${queueName}:tokens`,

  /** Hash: the lease of a job that its worker has renewed. */
  lease: (organizationId: string, jobId: string) => `org:${organizationId}:lease:${jobId}`,

  workflow: (organizationId: string, workflowId: string) => `org:${organizationId}:workflow:${workflowId}`,

  openStreams: (organizationId: string, kind: SlotKind) => `${streamCounters[kind]}:${organizationId}`,

  apiKey: (sha256: string) => `api_key:${sha256}`,
  revokedToken: (tokenId: string) => `token_blacklist:${tokenId}`,
  revokedSession: (sessionId: string) => `session_revoked:${sessionId}`,
  invalidations: 'spooled:invalidate',
} as const;

/** Keys of the counters that `RateLimiter` keeps; `scope` tells limits of one subject apart (a tier, a queue). */
export const rateLimitKeys = {
  organization: (organizationId: string, scope = 'all') => `rate_limit:org:${organizationId}:${scope}`,
  apiKey: (organizationId: string, sha256: string) => `rate_limit:org:${organizationId}:api_key:${sha256}`,
  login: (sha256: string) => `rate_limit:login:${sha256}`,
  address: (address: string, scope = 'all') => `rate_limit:address:${address}:${scope}`,
} as const;
