/** The part of a logger that the transport needs; a pino logger implements it. */
export interface TransportLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
