import { defineJob } from 'spooled-sdk';
import { z } from 'zod';

/** The mail server of this example. */
export const outside = { mail: async (to: string, text: string): Promise<void> => console.log(`${to}: ${text}`) };

export const confirm = defineJob('confirm-order', {
  payload: z.object({ order: z.string(), email: z.email() }),
  retries: 10,
  backoff: { strategy: 'exponential', delay: '10s', maxDelay: '1h' },
}).handle(async ({ order, email }) => {
  await outside.mail(email, `We have received your order ${order}`);
});
