// Loaded into the services that the launcher starts, and into Jest, Playwright and their workers (node --import). The channel to
// the parent closes when the parent dies, even by SIGKILL; the process then shuts down as on SIGTERM.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));

const releaseChannel = () => process.channel?.unref();

// A worker waits for messages of its parent; the others end when their work is done.
if (!/node_modules\/(jest-worker|playwright)\//.test(process.argv[1])) releaseChannel();
// The listener for `disconnect` would keep a worker alive that listens for messages no more.
else process.on('removeListener', () => process.listenerCount('message') === 0 && releaseChannel());
