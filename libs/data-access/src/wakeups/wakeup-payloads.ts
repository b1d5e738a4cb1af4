import { isUuid } from '@spooled/domain';

/** A queue in which jobs became claimable. */
export interface Wakeup {
  organizationId: string;
  queueName: string;
}

/** PostgreSQL refuses payloads of 8,000 bytes. */
const maxBytes = 7_900;

/** Queues that wait to be named in a notification, each once. */
export class PendingWakeups {
  private readonly queues = new Map<string, Set<string>>();

  get size(): number {
    return this.queues.size;
  }

  add({ organizationId, queueName }: Wakeup): void {
    const known = this.queues.get(organizationId);
    if (known) known.add(queueName);
    else this.queues.set(organizationId, new Set([queueName]));
  }

  /** Removes and returns at most `count` payloads: JSON lists of an organization's id and the names of its queues. */
  take(count: number): string[] {
    const payloads: string[] = [];
    for (const [organizationId, names] of this.queues) {
      while (names.size > 0 && payloads.length < count) payloads.push(takePayload(organizationId, names));
      if (names.size > 0) break;
      this.queues.delete(organizationId);
    }
    return payloads;
  }
}

function takePayload(organizationId: string, names: Set<string>): string {
  let payload = `["${organizationId}"`;
  let bytes = payload.length;
  for (const name of names) {
    const text = `,${JSON.stringify(name)}`;
    bytes += Buffer.byteLength(text);
    if (bytes >= maxBytes) break;
    payload += text;
    names.delete(name);
  }
  return `${payload}]`;
}

/** The queues of a payload. Every role of the database may send one, so anything else names none. */
export function queuesOf(payload: string): Wakeup[] {
  const [organizationId, ...names] = listOf(payload);
  if (typeof organizationId !== 'string' || !isUuid(organizationId)) return [];
  return names.filter((name) => typeof name === 'string').map((queueName) => ({ organizationId, queueName }));
}

function listOf(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
