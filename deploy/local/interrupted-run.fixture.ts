import { startStack } from '@spooled/testing';

// What a run of tests does that is interrupted: it has a stack, and does not end. One service stands for all.
it('uses services', async () => {
  await startStack({ engines: 0, schedulers: 0, webhooks: 0, realtime: 0 });
  await new Promise(() => undefined);
}, 600_000);
