import type { Paint } from '../demo/paint.ts';
import { localSubject } from './event-of.ts';
import type { Chapter } from './story.ts';

/** What is printed once it runs. Each command is alone on its line, so that the line can be copied. Pure. */
export function render(
  { url, data, chapters }: { url: string; data: string | undefined; chapters: readonly Chapter[] },
  paint: Paint,
): string[] {
  return [
    `${paint.strong(`The ledger and the bookings: ${url}`)}, ${data === undefined ? 'in memory' : `data in ${data}`}. Ctrl-C ends it.`,
    `Nobody is asked for a token here: every request counts as one of the subject ${localSubject}, with the scope of its route.`,
    '',
    'Try it in another shell, line by line. Each answers with the status before it.',
    ...chapters.flatMap(({ title, lines }) => [
      '',
      paint.strong(title),
      ...lines.flatMap(({ text, status, command }) => [
        `  ${status < 300 ? paint.good(String(status)) : paint.bad(String(status))}  ${text}`,
        `${command}`,
      ]),
    ]),
  ];
}
