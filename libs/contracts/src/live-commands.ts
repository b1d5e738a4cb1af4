import { longestQueueName } from '@spooled/domain';
import { z } from 'zod';

/** What a client of the WebSocket may ask for; the SDKs differ in the case. */
export const liveVerbs = ['subscribe', 'unsubscribe', 'ping'] as const;

const verb = z.string().max(20).toLowerCase().pipe(z.enum(liveVerbs));
// The Go client sends empty strings for absent fields.
const upTo = (longest: number) =>
  z
    .string()
    .max(longest)
    .nullish()
    .transform((text) => text || null);
const field = upTo(200);
// Zod counts UTF-16 units, of which a character has two at most.
const queue = upTo(2 * longestQueueName);

/** `{"cmd":"Subscribe","queue":…,"job_id":…}`. Has no reply. */
const current = z.object({ cmd: verb, queue, job_id: field });

/** `{"type":"subscribe","request_id":…,"filter":{…}}` of the Go client up to 1.0.10, which waits for a reply. */
const older = z.object({
  type: verb,
  request_id: field,
  filter: z
    .object({
      queue_name: queue,
      job_id: field,
      worker_id: field,
      events: z.array(z.string().max(100)).max(50).nullish(),
    })
    .nullish(),
});

/** The forms of commands of a client (SP-12), each by the member that has its verb. */
export const liveCommands = { cmd: current, type: older };
