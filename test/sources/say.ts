import { connect } from 'node:net';

/** Says a word to a server over a plain socket. @returns what it answers first; undefined where nobody answers. */
export function say(port: number, word: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(word));
    const end = (answer: string | undefined) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(2_000, () => end(undefined));
    socket.once('data', (chunk) => end(String(chunk)));
    socket.once('error', () => end(undefined));
    socket.once('close', () => end(undefined));
  });
}
