// Loaded into every service that the launcher starts (node --import). The channel to the launcher closes when the
// launcher dies, even by SIGKILL; the service then shuts down as on SIGTERM.
process.channel?.unref();
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
