import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

export interface HttpSession {
  transport: StreamableHTTPServerTransport;
  /** Ends what the session still asks of the server, and closes it. */
  close: () => Promise<void>;
  /** Hash of the key that began it. Requests with another key are refused. */
  keyHash: string;
  /** Unix time of its last request, in ms. */
  usedAt: number;
}

/** Sessions of one key. The one that was not used for longest is closed for a new one. */
export const mostPerKey = 20;
/** Sessions of all keys. */
const most = 500;
const longestIdleMs = 30 * 60_000;

/** The open sessions of a server, by their ids. Idle ones are closed when somebody else asks. */
export class HttpSessions {
  private readonly byId = new Map<string, HttpSession>();

  /** @param now Unix time in ms */
  constructor(private readonly now: () => number) {}

  /** @returns undefined for one that does not exist, was closed, or belongs to another key */
  use(id: string, keyHash: string): HttpSession | undefined {
    this.closeIdle();
    const session = this.byId.get(id);
    if (!session || session.keyHash !== keyHash) return undefined;
    session.usedAt = this.now();
    // A map keeps the order of insertion: the first one was not used for longest.
    this.byId.delete(id);
    this.byId.set(id, session);
    return session;
  }

  get isFull(): boolean {
    this.closeIdle();
    return this.byId.size >= most;
  }

  add(id: string, session: Omit<HttpSession, 'usedAt'>): void {
    const ofKey = [...this.byId].filter(([, { keyHash }]) => keyHash === session.keyHash);
    if (ofKey.length >= mostPerKey) this.close(ofKey[0]![0]);
    this.byId.set(id, { ...session, usedAt: this.now() });
  }

  close(id: string): void {
    const session = this.byId.get(id);
    this.byId.delete(id);
    void session?.close();
  }

  closeAll(): void {
    for (const id of [...this.byId.keys()]) this.close(id);
  }

  private closeIdle(): void {
    for (const [id, { usedAt }] of this.byId) if (this.now() - usedAt >= longestIdleMs) this.close(id);
  }
}
