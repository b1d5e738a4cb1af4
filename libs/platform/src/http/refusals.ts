import type { Socket } from 'node:net';

const reasons: Record<string, readonly [status: number, title: string, code: string, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'REQUEST_TIMEOUT', 'The request took too long'],
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'BAD_REQUEST', 'The headers are too large'],
};
const malformed = [400, 'Bad Request', 'BAD_REQUEST', 'The request is malformed'] as const;

/** Responds with the product's error body to requests that Node's HTTP parser rejects before Fastify sees them. */
export function respondToParserError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, title, code, message] = reasons[error.code ?? ''] ?? malformed;
  const body = JSON.stringify({ code, message });
  const headers = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close`;
  if (socket.writable) socket.write(`HTTP/1.1 ${status} ${title}\r\n${headers}\r\n\r\n${body}`);
  socket.destroy(error);
}
