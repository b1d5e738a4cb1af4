export default async function tearDown() {
  // The stacks first: they use the server.
  try {
    await globalThis.stopSharedStacks?.();
  } finally {
    await globalThis.stopTestServer?.();
  }
}
