import { Time } from './time';

const isoTime = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** A text of the server, with its times (in UTC) as a reader of this browser expects them. */
export const Message = ({ text }: { text: string }) => (
  <>{text.split(isoTime).map((part, index) => (isoTime.test(part) ? <Time key={index} value={part} /> : part))}</>
);
