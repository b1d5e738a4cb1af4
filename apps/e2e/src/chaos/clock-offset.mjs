// Preloaded by the services of a chaos run: on SIGUSR2 the wall clock of the process goes five minutes forward, or back again.

const offsetMs = 5 * 60_000;
let ahead = 0;
process.on('SIGUSR2', () => (ahead = ahead === 0 ? offsetMs : 0));

const SystemDate = Date;
globalThis.Date = class Date extends SystemDate {
  constructor(...parts) {
    if (parts.length === 0) super(SystemDate.now() + ahead);
    else super(...parts);
  }

  static now() {
    return SystemDate.now() + ahead;
  }
};
