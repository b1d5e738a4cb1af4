/** Streams of events: WebSockets, streams of all events, streams of one job or queue. */
export type StreamKind = 'websocket' | 'events' | 'watch';
/** Kinds of streams with separate limits: also gRPC job streams. */
export type SlotKind = StreamKind | 'grpc';

const streamCounters: Record<SlotKind, string> = {
  websocket: 'ws_connections',
  events: 'sse_connections',
  watch: 'sse_watch_connections',
  grpc: 'grpc_streams',
};

/**
 * All Redis keys and channels. Keys with tenant data start with their organization; keys that are read before the
 * organization is known (credentials, addresses) use a digest. Braces pin related keys to one slot.
 */
export const keys = {
  /** Stream of commands that are waiting or in flight. */
  commandStream: (shard: string) => `spooled:cmd:{${shard}}`,
  /** Sorted set of live engines; score = when the heartbeat expires (clock of Redis, ms). */
  engines: (shard: string) => `spooled:engines:{${shard}}`,
  /** Never written; reading it shows whether the server is the primary. */
  probe: 'spooled:probe',
  replyChannel: (clientId: string) => `spooled:reply:${clientId}`,
  /** A response too large for publish/subscribe, fetched once by its caller. */
  largeReply: (replyChannel: string, commandId: string) => `${replyChannel}:${commandId}`,

  events: (organizationId: string) => `org:${organizationId}:events`,
  recentEvents: (organizationId: string) => `org:${organizationId}:recent_events`,
  /** Exists while a stream of the organization is open or may resume. */
  audience: (organizationId: string) => `org:${organizationId}:audience`,
  /** Channel of organization ids that get their first subscriber. */
  audiences: 'spooled:audiences',
  queueWakeUp: (organizationId: string, queueName: string) => `org:${organizationId}:queue:${queueName}`,
  queueControl: (organizationId: string, queueName: string) => `org:${organizationId}:queue:${queueName}:control`,

  /** Hash: token bucket of a rate-limited queue. */
  queueTokens: (organizationId: string, queueName: string) => `org:${organizationId}:queue:${queueName}:tokens`,

  /** Hash: since when the receiver of a push queue does not respond, and when it is called next. */
  jobReceiverOutage: (organizationId: string, origin: string) => `org:${organizationId}:receiver:${origin}:outage`,
  receiverOutage: (organizationId: string, queueName: string) => `org:${organizationId}:queue:${queueName}:outage`,

  /** Hash: why the jobs of a push queue are not called, and since when. */
  pushShortage: (organizationId: string, queueName: string) => `org:${organizationId}:queue:${queueName}:shortage`,

  /** Hash: the renewed lease of a job. */
  lease: (organizationId: string, jobId: string) => `org:${organizationId}:lease:${jobId}`,

  /** Channel of running jobs that were asked to end: job and lease. */
  cancellations: (organizationId: string) => `org:${organizationId}:cancellations`,

  workflow: (organizationId: string, workflowId: string) => `org:${organizationId}:workflow:${workflowId}`,

  openStreams: (organizationId: string, kind: SlotKind) => `${streamCounters[kind]}:${organizationId}`,

  apiKey: (sha256: string) => `api_key:${sha256}`,
  revokedToken: (tokenId: string) => `token_blacklist:${tokenId}`,
  revokedSession: (sessionId: string) => `session_revoked:${sessionId}`,
  invalidations: 'spooled:invalidate',
} as const;

/** Keys of rate-limit counters; `scope` separates several limits of one subject (a tier, a queue). */
export const rateLimitKeys = {
  organization: (organizationId: string) => `rate_limit:org:${organizationId}:all`,
  apiKey: (organizationId: string, sha256: string) => `rate_limit:org:${organizationId}:api_key:${sha256}`,
  /** All sessions of the console. */
  console: (organizationId: string) => `rate_limit:org:${organizationId}:console`,
  /** @param owner the organization, or `administrator` */
  consoleSession: (owner: string, sessionId: string) => `rate_limit:org:${owner}:console:${sessionId}`,
  signal: (organizationId: string, jobId: string, step: string) =>
    `rate_limit:org:${organizationId}:signal:${jobId}:${step}`,
  throttle: (organizationId: string, id: string) => `rate_limit:org:${organizationId}:throttle:${id}`,
  login: (sha256: string) => `rate_limit:login:${sha256}`,
  address: (address: string, scope = 'all') => `rate_limit:address:${address}:${scope}`,
} as const;
