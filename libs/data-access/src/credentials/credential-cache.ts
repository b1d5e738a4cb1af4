/** The cache that all processes share; implemented in `libs/transport`. */
export interface CredentialCache {
  /** Returns null also when the cache is unavailable. */
  get<T>(hash: string): Promise<T | null>;
  /** Must overwrite neither an existing entry nor the marker of a recent invalidation. Never throws. */
  set(hash: string, value: unknown, ttlSeconds: number): Promise<void>;
  /** Deletes one entry without a notice. Never throws. */
  delete(hash: string): Promise<void>;
  /** Calls `listener` for each invalidation by any process; kind 'everything' when a notice may have been missed. */
  onInvalidate(listener: (notice: CredentialNotice) => void): () => void;
}

export type CredentialNotice = { kind: string; hashes?: string[] };

/** For a deployment without Redis: caches nothing and sends no notices. */
export const noSharedCache: CredentialCache = {
  get: () => Promise.resolve(null),
  set: () => Promise.resolve(),
  delete: () => Promise.resolve(),
  onInvalidate: () => () => undefined,
};
