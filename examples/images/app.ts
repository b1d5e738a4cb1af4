import { connect } from 'spooled-embedded';
import { image, resize } from './jobs.ts';

// Publishes the image whose URL is given: node app.ts https://example.com/cat.png

const app = await connect(process.env.SPOOLED_URL!);
await app.work([image, resize]);
await image.enqueue({ source: process.argv[2] ?? 'https://example.com/cat.png' });
