/** The session of the browser console that a request belongs to. */
export type ConsoleSession =
  /** `token`: an access token, which is also the request's credential. */
  | { kind: 'organization'; token: string }
  /** `expiresAt` in Unix seconds. */
  | { kind: 'administrator'; sessionId: string; expiresAt: number };
