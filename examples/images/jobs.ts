import { defineJob } from 'spooled-sdk';
import { z } from 'zod';

const widths = { small: 64, medium: 256, large: 1024 };
const sizes = Object.keys(widths) as Size[];
type Size = keyof typeof widths;

/** The store of files and the renderer of this example. They take addresses, because payloads and results are small. */
export const outside = {
  store: async (source: string): Promise<string> => `files/${new URL(source).pathname.slice(1)}`,
  render: async (file: string, width: number, _signal: AbortSignal): Promise<string> => `${file}@${width}`,
  publish: async (files: string[]): Promise<void> => console.log(`published ${files.join(', ')}`),
};

/** Renders one size of an image. At most two run at a time in each process, and each is retried on its own. */
export const resize = defineJob('resize', {
  payload: z.object({ image: z.string(), file: z.string(), size: z.enum(sizes) }),
  retries: 3,
  timeout: '1m',
  concurrency: 2,
}).handle(async ({ image: id, file, size }, { signal }) => {
  const rendered = await outside.render(file, widths[size], signal);
  // An attempt that runs again gives the same signal, of which the first counts.
  await image.signal(id, size, rendered);
});

/** The pipeline of one image. While the sizes are rendered, it has no worker. */
export const image = defineJob('image', {
  payload: z.object({ source: z.url() }),
  retries: 3,
}).handle(async ({ source }, { step, progress, job }) => {
  const file = await step('store', () => outside.store(source));
  await step('enqueue', async () => {
    // With keys: an attempt that ends between the enqueue and the end of the step creates none twice.
    const jobs = sizes.map((size) => ({ payload: { image: job.id, file, size }, key: `resize:${job.id}:${size}` }));
    await resize.enqueueMany(jobs);
  });
  const files: string[] = [];
  for (const size of sizes) {
    files.push(await step.waitFor<string>(size, { timeout: '1h' }));
    await progress(Math.round((100 * files.length) / sizes.length), size);
  }
  await step('publish', () => outside.publish(files));
  return { files };
});
