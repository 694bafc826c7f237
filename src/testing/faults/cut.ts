import { Readable } from 'node:stream';
import type { Fault } from './fault.ts';
import { readAnswer } from './json-answer.ts';
import { answerAborted, connectionReset } from './wire-errors.ts';
import { bodyText } from './wire-request.ts';

/** How {@link cutAnswer} cuts the answer. */
export interface CutAnswerOptions {
  /** How many bytes of the body arrive. Default half of them. */
  readonly afterBytes?: number;
  /** How it ends: `reset`, the connection breaks; `end`, as if the answer were complete. Default `reset`. */
  readonly by?: 'reset' | 'end';
}

/** The server does what it was asked, and only a part of its answer arrives: status and headers do, the body does not. */
export function cutAnswer({ afterBytes, by = 'reset' }: CutAnswerOptions = {}): Fault {
  return {
    name: 'cutAnswer',
    async inject({ deliver }) {
      const answer = await deliver();
      const whole = await readAnswer(answer);
      const part = whole.subarray(0, afterBytes ?? Math.floor(whole.length / 2));
      return { response: { ...answer.response, body: by === 'end' ? Readable.from([part]) : broken(part) } };
    },
  };
}

function broken(part: Buffer): Readable {
  let sent = false;
  return new Readable({
    read() {
      if (sent) this.destroy(answerAborted());
      else this.push(part);
      sent = true;
    },
  });
}

/** How {@link abortBody} cuts the request. */
export interface AbortBodyOptions {
  /** How many bytes of the body leave. Default half of them. */
  readonly afterBytes?: number;
}

/**
 * The connection breaks while the request is being sent: the server gets a part of the body and must not act
 * on it. Over HTTP a part is really sent and the socket destroyed; without a socket nothing is delivered.
 */
export function abortBody({ afterBytes }: AbortBodyOptions = {}): Fault {
  return {
    name: 'abortBody',
    async inject({ http, deliver }) {
      const whole = Buffer.from(bodyText(http));
      const part = whole.subarray(0, afterBytes ?? Math.floor(whole.length / 2));
      await readAnswer(await deliver({ ...http, body: new AbortedBody(part) }));
      throw connectionReset();
    },
  };
}

/** A body that breaks its connection once its part is on the wire. Read in any other way, it is empty. */
class AbortedBody extends Readable {
  readonly #part: Buffer;

  constructor(part: Buffer) {
    super();
    this.#part = part;
  }

  override _read(): void {
    this.push(null);
  }

  // How a body is sent over HTTP. The callback comes when the bytes were handed to the operating system.
  override pipe<T extends NodeJS.WritableStream>(connection: T): T {
    connection.write(this.#part, () => (connection as unknown as { destroy(): void }).destroy());
    return connection;
  }
}
