/** What operators set for services with variables. An application has an environment of its own, so nothing is read from it. */
export interface EmbeddedSettings {
  /** Retries where neither the job nor its queue sets any. @default 3 */
  defaultMaxRetries?: number;
  /** Timeout in seconds where neither the job nor its queue sets one. @default 300 */
  defaultTimeoutSeconds?: number;
  /** Maximum size of a payload or result in bytes, regardless of plan. @default 1048576 */
  maxPayloadBytes?: number;
  /** Maximum jobs in a batch. @default 1000000 */
  maxBatchJobs?: number;
  /** Heartbeat interval of workers in seconds, by which other processes see them as offline. @default 10 */
  heartbeatSeconds?: number;
  /** Whether callbacks and completion webhooks need HTTPS. @default true */
  production?: boolean;
  /** Hosts besides localhost that may be called by plain HTTP; only with `production: false`. */
  callbackHttpHosts?: string[];
  /** Limits of plans in place of the built-in ones, such as `{ free: { max_active_jobs: 10 } }`; null = unlimited. */
  planLimits?: Partial<Record<'free' | 'starter' | 'pro' | 'enterprise', Record<string, number | null>>>;
}
