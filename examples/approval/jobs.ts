import { defineJob } from 'spooled-sdk';
import { z } from 'zod';

export const decision = z.object({ approved: z.boolean(), by: z.string().min(1) });
type Decision = z.infer<typeof decision>;

/** The bank of this example. */
export const bank = { transfer: async (account: string, amount: number) => `transfer of ${amount} to ${account}` };

export const payout = defineJob('payout', {
  payload: z.object({ account: z.string().min(1), amount: z.number().positive() }),
  retries: 3,
}).handle(async ({ account, amount }, { step, log }) => {
  // The job leaves its worker here. It takes no memory and no place until somebody decides, or three days have passed.
  const { approved, by } = await step.waitFor<Decision>('decision', {
    timeout: '3 days',
    default: { approved: false, by: 'nobody' },
  });
  if (!approved) return { receipt: null, by };
  // A finished step does not run again when a later attempt does.
  const receipt = await step('transfer', () => bank.transfer(account, amount));
  log.info('paid', { account, by });
  return { receipt, by };
});
