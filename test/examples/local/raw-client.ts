import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends bytes to a server, as they are, and gives what it answers until it closes the connection. */
export async function said(url: string, ...pieces: readonly (string | Uint8Array)[]): Promise<string> {
  const { socket, answer } = talk(url, pieces);
  await once(socket, 'close');
  return answer();
}

/** As a client that hangs up with the first answer, whatever it has still to say. */
export async function firstSaid(url: string, ...pieces: readonly (string | Uint8Array)[]): Promise<string> {
  const { socket, answer } = talk(url, pieces);
  await once(socket, 'data');
  socket.destroy();
  return answer();
}

function talk(url: string, pieces: readonly (string | Uint8Array)[]) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('latin1').on('data', (piece: string) => {
    answer += piece;
  });
  // What is sent after the answer may meet a connection that is closed.
  socket.on('error', () => {});
  for (const piece of pieces) socket.write(piece);
  return { socket, answer: () => answer };
}

/** A request, and that the connection is to be closed after it. */
export function request(line: string, headers: readonly string[] = [], body = ''): string {
  return [`${line} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', body].join('\r\n');
}

/** The status of each answer. */
export function statuses(answer: string): number[] {
  return [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
