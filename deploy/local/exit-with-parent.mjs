// Loaded into every service that the launcher starts (node --import). The channel to the launcher closes when the
// launcher dies, also by kill -9; the service then ends as it would on any SIGTERM.
process.channel?.unref();
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
