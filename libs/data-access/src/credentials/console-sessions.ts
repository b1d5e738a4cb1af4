import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../database/database.js';
import type { TenantTransaction } from '../database/transactions.js';
import { bindConsoleLogin, insertConsoleLogin, takeConsoleLogin } from './console-sessions.queries.js';

export {
  deleteAdministratorSession,
  findAdministratorSession,
  insertAdministratorSession,
} from './console-sessions.queries.js';

const secretBytes = 32;
const newSecret = (): string => randomBytes(secretBytes).toString('base64url');
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Creates a code that begins one session with the key within `seconds`; `expiresAt` is RFC 3339. */
export async function createConsoleLogin(
  tx: TenantTransaction,
  apiKeyId: string,
  seconds: number,
): Promise<{ code: string; expiresAt: string }> {
  const code = newSecret();
  const row = await tx.one(insertConsoleLogin, { codeHash: hashOf(code), apiKeyId, seconds });
  return { code, expiresAt: row.expires_at };
}

/** A code and the one browser that may use it. */
export interface BoundCode {
  apiKeyId: string;
  /** Secret of the browser. */
  browser: string;
  /** RFC 3339. */
  expiresAt: string;
}

/** Binds the code to a new browser, in place of an earlier one. @returns null for a code that is unknown, used or expired */
export async function bindConsoleCode(database: Database, code: string): Promise<BoundCode | null> {
  const browser = newSecret();
  const bind = { codeHash: hashOf(code), browserHash: hashOf(browser) };
  const [row] = await database.asSystem('show a console login', (tx) => tx.run(bindConsoleLogin, bind));
  return row ? { apiKeyId: row.api_key_id, browser, expiresAt: row.expires_at } : null;
}

/** Ends the code. @returns the id of its key; null for a code that is unknown, used, expired or bound to another browser */
export async function takeConsoleCode(database: Database, code: string, browser: string): Promise<string | null> {
  const take = { codeHash: hashOf(code), browserHash: hashOf(browser) };
  const [row] = await database.asSystem('use a console login', (tx) => tx.run(takeConsoleLogin, take));
  return row?.is_current ? row.api_key_id : null;
}
