/** Outlines in a box of 16 by 16. */
const shapes = {
  now: 'M1.5 8.5h3l2-5 3 9 2-4h3',
  queue: 'M2 3.5h12M2 8h12M2 12.5h7',
  job: 'M3 2.5h10v11H3zM5.5 6h5M5.5 9h3',
  types: 'M2 2.5h5v4.5H2zM9 2.5h5v4.5H9zM2 9h5v4.5H2zM9 9h5v4.5H9z',
  failure: 'M8 2 14.5 13.5h-13zM8 6.5v3M8 11.6v.1',
  worker: 'M4.5 4.5h7v7h-7zM6.5 1.5v3M9.5 1.5v3M6.5 11.5v3M9.5 11.5v3M1.5 6.5h3M1.5 9.5h3M11.5 6.5h3M11.5 9.5h3',
  workflow: 'M1.5 5.5h4v5h-4zM10.5 1.5h4v4h-4zM10.5 10.5h4v4h-4zM5.5 8h2.5V3.5h2.5M8 8v4.5h2.5',
  batch: 'M2 6.5h12v7H2zM3.5 4h9M5 1.5h6',
  schedule: 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 1.5v3M10.5 1.5v3',
  webhook:
    'M6 4.5a2 2 0 1 0 4 0 2 2 0 0 0-4 0M2 11.5a2 2 0 1 0 4 0 2 2 0 0 0-4 0M10 11.5a2 2 0 1 0 4 0 2 2 0 0 0-4 0M7 6.3 5 9.7M9 6.3l2 3.4M6 11.5h4',
  key: 'M2 8a2.75 2.75 0 1 0 5.5 0A2.75 2.75 0 0 0 2 8M7.5 8h7v2.75M11.5 8v2.25',
  usage: 'M2.5 13.5V9M6.2 13.5V4.5M9.8 13.5V7M13.5 13.5v-11',
  organization: 'M3 14V2.5h7V14M10 6.5h3.5V14M1.5 14h13M5.5 5.5h2M5.5 8.5h2M5.5 11.5h2',
  audit: 'M3 1.5h7l3 3v10H3zM5.5 7h5M5.5 9.5h5M5.5 12h3',
  platform: 'M2 2.5h12v4.5H2zM2 9h12v4.5H2zM4.5 4.75v.1M4.5 11.25v.1',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.5 10.5 14 14',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  check: 'M2.5 8.5 6 12l7.5-8',
  circle: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11z',
  clock: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 4.5V8l2.5 1.5',
  play: 'M4.5 2.5v11l8.5-5.5z',
  pause: 'M5 3v10M11 3v10',
  cross: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4',
  stop: 'M5.5 2h5L14 5.5v5L10.5 14h-5L2 10.5v-5zM8 5v3.5M8 10.8v.1',
  slash: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM4 12l8-8',
  warning: 'M8 2 14.5 13.5h-13zM8 6.5v3M8 11.6v.1',
  info: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 7.5V11M8 5v.1',
  menu: 'M2 4h12M2 8h12M2 12h12',
  user: 'M8 2.5a2.75 2.75 0 1 0 0 5.5 2.75 2.75 0 0 0 0-5.5zM2.5 14c.4-3 2.6-4.5 5.5-4.5s5.1 1.5 5.5 4.5',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  copy: 'M5.5 5.5h8v8h-8zM3 10.5h-.5v-8h8V3',
  refresh: 'M13.5 8a5.5 5.5 0 1 1-1.6-3.9M13.5 2v3h-3',
  plus: 'M8 3v10M3 8h10',
  external: 'M9 2.5h4.5V7M13.5 2.5 7.5 8.5M11 9.5v4H2.5V5h4',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
} as const;

export type IconName = keyof typeof shapes;

/** A picture beside a text that says the same. */
export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d={shapes[name]} />
  </svg>
);
