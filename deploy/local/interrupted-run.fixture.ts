import { sharedStack } from '@spooled/testing';

// What a run of tests does that is interrupted: it has a stack, and does not end.
it('uses services', async () => {
  await sharedStack();
  await new Promise(() => undefined);
}, 600_000);
