import type { IncomingMessage, RequestOptions } from 'node:http';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { EtcdError } from './etcd-error.ts';

/** A request could not leave, for want of a connection to begin with. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}

/** Whether nobody can have heard of a request. */
export function neverLeft(error: unknown): boolean {
  return error instanceof NotSent;
}

/**
 * Sends a request. It is spoken through `node:http`, because what `fetch` opens can neither present a certificate of its own nor leave the
 * process free to exit while it listens.
 *
 * @param keepsAlive whether the process may not exit before it is answered.
 * @returns the head of the answer. @throws what {@link neverLeft} tells apart.
 */
export function send(
  url: URL,
  body: string,
  options: RequestOptions,
  keepsAlive: boolean,
): Promise<IncomingMessage> {
  const secure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const sent = (secure ? httpsRequest : httpRequest)(url, options, resolve);
    let connected = false;
    sent.once('socket', (socket) => {
      if (!keepsAlive) socket.unref();
      connected = sent.reusedSocket;
      if (connected) return;
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        connected = true;
      });
    });
    sent.once('error', (cause) => {
      reject(connected ? cause : new NotSent(`${url.origin} cannot be reached`, { cause }));
    });
    sent.end(body);
  });
}

/** More than anything that is asked for here could take. */
const LONGEST_ANSWER = 8 * 1024 * 1024;

export async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk;
    if (text.length > LONGEST_ANSWER) throw new EtcdError('etcd answers more than 8 MiB');
  }
  return text;
}
