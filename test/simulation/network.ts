import type { DynamoDBClientLike } from '../../src/dynamo/client.ts';
import { auditSimulated } from '../support/simulated-requests.ts';
import type { Input, Op } from './ask.ts';

/** A copy of a request on its way. It may be executed at any later time, once. */
export interface Message {
  readonly client: number;
  /** Which of the client's logical operations sent it, and as which of its copies. */
  readonly operation: number;
  readonly copy: number;
  readonly op: Op;
  readonly input: Input;
  /** Ends the client's wait for it; undefined once that is over. */
  reply: { readonly done: (output: object) => void; readonly failed: (error: Error) => void } | undefined;
}

/** What the SDK throws when a connection breaks: nobody knows whether the request arrived. */
export function connectionReset(): Error {
  return Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
}

/** The messages of all clients. Sending one only puts it here; the schedule says what becomes of it. */
export class Network {
  readonly messages: Message[] = [];

  /**
   * The client that one holder sends with. It runs the middleware that the library puts on each command, and
   * nothing else of the SDK.
   *
   * @param onSend is told of each copy as it is sent.
   */
  client(
    client: number,
    operation: () => number,
    maxAttempts: number,
    onSend: (message: Message) => void = () => {},
  ): DynamoDBClientLike {
    const copies = new Map<number, number>();
    return {
      config: { maxAttempts: async () => maxAttempts },
      // biome-ignore lint/suspicious/noExplicitAny: stands in for the SDK's overloads.
      send: (command: any) => {
        const terminal = () =>
          new Promise((resolve, reject) => {
            const current = operation();
            const copy = (copies.get(current) ?? 0) + 1;
            copies.set(current, copy);
            const op = command.constructor.name.replace('Command', '') as Op;
            auditSimulated({ op, input: command.input });
            const done = (output: object) => resolve({ output: { $metadata: {}, ...output }, response: {} });
            const reply = { done, failed: reject };
            const message = { client, operation: current, copy, op, input: command.input, reply };
            this.messages.push(message);
            onSend(message);
          });
        const handler = command.middlewareStack.resolve(terminal, {});
        return handler({ input: command.input, request: {} }).then(
          (result: { output: object }) => result.output,
        );
      },
    };
  }
}
