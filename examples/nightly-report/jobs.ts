import { defineJob } from 'spooled-sdk';
import { z } from 'zod';

/** The shops and the mail server of this example. */
export const outside = {
  sales: async (shop: string, day: string): Promise<number> => shop.length * 100 + Number(day.slice(8)),
  mail: async (text: string): Promise<void> => console.log(text),
};

const shops = ['Berlin', 'Lima', 'Oslo'];

export const report = defineJob('nightly-report', {
  payload: z.object({ currency: z.string().length(3) }),
  retries: 5,
  backoff: { strategy: 'exponential', delay: '1m', maxDelay: '1h' },
  timeout: '10m',
})
  .schedule('0 2 * * *', { currency: 'EUR' }, { timezone: 'Europe/Berlin' })
  .handle(async ({ currency }, { step, progress, job }) => {
    // Of the job and not of the attempt: a retry after midnight reports the same day.
    const day = job.createdAt!.slice(0, 10);
    const lines: string[] = [];
    for (const [i, shop] of shops.entries()) {
      // A shop that answered is not asked again when another one fails.
      const total = await step(shop, () => outside.sales(shop, day));
      lines.push(`${shop}: ${total} ${currency}`);
      await progress(Math.round((100 * (i + 1)) / shops.length), shop);
    }
    await step('mail', () => outside.mail([`Sales of ${day}`, ...lines].join('\n')));
    return { day, lines };
  });
