export default async function tearDown() {
  // The stacks first: they use the server.
  await globalThis.stopSharedStacks?.();
  await globalThis.stopTestServer?.();
}
