import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** Stands in the list of peppers for "without a pepper". */
export const noPepper = 'none';

/** Keys that were made without a pepper hold under any list: setting one for the first time must not end every key. */
const nameWithout = 'plain';
const purpose = 'spooled api key v1\0';

/** `foreign`: made with a pepper that is not in the list. */
export type DigestCheck = 'current' | 'outdated' | 'foreign' | 'wrong';

/**
 * The keyed hashes by which API keys are verified. A key is 32 random bytes, so nobody finds it from a fast hash; the pepper,
 * which is in no database, keeps who can write to the table from making a digest for a key of his own.
 */
export class ApiKeyDigests {
  private readonly secrets = new Map<string, string>();
  private readonly current: string;

  /** @param peppers the first one is for new keys, the others are still accepted */
  constructor(peppers: readonly string[] = []) {
    for (const pepper of [...peppers, noPepper]) {
      const name = nameOf(pepper);
      if (!this.secrets.has(name)) this.secrets.set(name, pepper === noPepper ? '' : pepper);
    }
    this.current = nameOf(peppers[0] ?? noPepper);
  }

  /** What is stored of a key. */
  of(text: string): string {
    return this.make(this.current, text)!;
  }

  check(text: string, stored: string): DigestCheck {
    const name = stored.slice(0, stored.indexOf(':'));
    const expected = this.make(name, text);
    if (expected === null) return 'foreign';
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

/** Tells peppers apart and gives nothing of them away: eight hexadecimal digits of a hash. */
const nameOf = (pepper: string): string =>
  pepper === noPepper ? nameWithout : hash('sha256', `spooled pepper\0${pepper}`, 'hex').slice(0, 8);
