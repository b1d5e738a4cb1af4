/** What the authenticator needs from the cache that all processes share; the apps put the transport's in its place. */
export interface CredentialCache {
  /** null also when the cache cannot answer. */
  get<T>(hash: string): Promise<T | null>;
  /** Must not overwrite the mark that a change has just left in place of an entry. Never throws. */
  set(hash: string, value: unknown, ttlSeconds: number): Promise<void>;
  /** `listener` hears of every change made by any process; 'everything' when word may have been missed. */
  onInvalidate(listener: (notice: CredentialNotice) => void): () => void;
  /** Whether word of changes reaches this process right now. */
  connected(): boolean;
}

export type CredentialNotice = { kind: string; hashes?: string[] };

/** For a deployment without Redis: nothing is shared and no word comes. */
export const noSharedCache: CredentialCache = {
  get: () => Promise.resolve(null),
  set: () => Promise.resolve(),
  onInvalidate: () => () => undefined,
  connected: () => false,
};
