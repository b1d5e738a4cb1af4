import WebSocket from 'ws';
import { errorOf, NetworkError } from '../http/errors.js';
import type { HttpSettings } from '../http/http-client.js';
import { readEvent } from './events.js';
import { type Connect, filterQuery, IdleTimeout } from './stream.js';

/** The server sends at least a ping every 30 s. */
const idleTimeoutMs = 75_000;

/** Live events over WebSocket. */
export const websocketStream =
  ({ baseUrl, credentials, userAgent, largeIntegers }: HttpSettings): Connect =>
  async (filter, listener, signal) => {
    const idle = new IdleTimeout(idleTimeoutMs);
    const socket = new WebSocket(`${baseUrl.replace(/^http/, 'ws')}/api/v1/ws${filterQuery(filter)}`, {
      headers: {
        'user-agent': userAgent,
        ...(credentials.bearer && { authorization: `Bearer ${credentials.bearer}` }),
      },
    });
    const end = () => socket.terminate();
    const ending = AbortSignal.any([signal, idle.signal]);
    ending.addEventListener('abort', end);
    socket.on('open', () => listener.connected());
    socket.on('message', (data: Buffer) => {
      idle.refresh();
      try {
        const event = readEvent(data.toString(), largeIntegers);
        if (event) listener.event(event);
      } catch (error) {
        socket.emit('error', error as Error);
        end();
      }
    });
    try {
      if (ending.aborted) end();
      await closing(socket);
    } finally {
      idle.stop();
      ending.removeEventListener('abort', end);
    }
  };

function closing(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.on('close', () => resolve());
    socket.on('error', (error) => reject(new NetworkError(`The WebSocket broke: ${error.message}`, error)));
    socket.on('unexpected-response', (_, response) => {
      const headers = new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
      response.resume();
      reject(errorOf(response.statusCode ?? 0, headers, undefined));
      socket.terminate();
    });
  });
}
