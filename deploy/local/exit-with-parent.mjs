// Loaded into the services that the launcher starts, and into Jest and its workers (node --import). The channel to the parent
// closes when the parent dies, even by SIGKILL; the process then shuts down as on SIGTERM.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// A worker of Jest waits for nothing but its parent; the others end when their work is done.
if (!process.argv[1]?.includes('jest-worker')) process.channel?.unref();
