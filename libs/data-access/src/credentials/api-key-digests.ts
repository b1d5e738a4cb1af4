import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** Entry in the list of peppers that means "without a pepper". */
export const noPepper = 'none';

/** Always accepted: setting a pepper for the first time must not invalidate the existing keys. */
const nameWithoutPepper = 'plain';
const purpose = 'spooled api key v1\0';

/** `outdated`: valid, but made with an older pepper. `unknown_pepper`: made with a pepper that is not configured. */
export type DigestCheck = 'current' | 'outdated' | 'unknown_pepper' | 'wrong';

/**
 * Makes and verifies the keyed hashes of API keys. A key is 32 random bytes, so a fast hash suffices; the pepper, which is
 * not in the database, prevents an attacker with write access to the table from adding a key.
 */
export class ApiKeyDigests {
  private readonly secrets = new Map<string, string>();
  private readonly current: string;

  /** @param peppers the first is used for new keys, the others are still accepted */
  constructor(peppers: readonly string[] = []) {
    for (const pepper of [...peppers, noPepper]) {
      const name = nameOf(pepper);
      if (!this.secrets.has(name)) this.secrets.set(name, pepper === noPepper ? '' : pepper);
    }
    this.current = nameOf(peppers[0] ?? noPepper);
  }

  /** The digest to store for a key. */
  of(text: string): string {
    return this.make(this.current, text)!;
  }

  check(text: string, stored: string): DigestCheck {
    const name = stored.slice(0, stored.indexOf(':'));
    const expected = this.make(name, text);
    if (expected === null) return 'unknown_pepper';
    const [a, b] = [Buffer.from(expected), Buffer.from(stored)];
    if (a.length !== b.length || !timingSafeEqual(a, b)) return 'wrong';
    return name === this.current ? 'current' : 'outdated';
  }

  private make(name: string, text: string): string | null {
    const secret = this.secrets.get(name);
    if (secret === undefined) return null;
    return `${name}:${createHmac('sha256', secret).update(purpose).update(text).digest('base64url')}`;
  }
}

/** Identifies a pepper without revealing it: eight hexadecimal digits of a hash. */
const nameOf = (pepper: string): string =>
  pepper === noPepper ? nameWithoutPepper : hash('sha256', `spooled pepper\0${pepper}`, 'hex').slice(0, 8);
