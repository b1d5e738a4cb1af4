/** What the authenticator needs from the cache that all processes share; the apps put the transport's in its place. */
export interface CredentialCache {
  /** null also when the cache cannot answer. */
  get<T>(hash: string): Promise<T | null>;
  /** Must not overwrite what is there, nor the mark that a change has just left in place of it. Never throws. */
  set(hash: string, value: unknown, ttlSeconds: number): Promise<void>;
  /** Forgets one entry without telling anyone. Never throws. */
  delete(hash: string): Promise<void>;
  /** `listener` hears of every change made by any process; 'everything' when a notice may have been missed. */
  onInvalidate(listener: (notice: CredentialNotice) => void): () => void;
}

export type CredentialNotice = { kind: string; hashes?: string[] };

/** For a deployment without Redis: nothing is shared and no notice comes. */
export const noSharedCache: CredentialCache = {
  get: () => Promise.resolve(null),
  set: () => Promise.resolve(),
  delete: () => Promise.resolve(),
  onInvalidate: () => () => undefined,
};
