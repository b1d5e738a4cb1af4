import { connect } from 'spooled-embedded';
import { report } from './jobs.ts';

// Reports at 2 o'clock, and once now.

const app = await connect(process.env.SPOOLED_URL!);
await app.work([report]);
await report.enqueue({ currency: 'EUR' });
