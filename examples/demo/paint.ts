/** Marks text for a terminal, or leaves it as it is. */
export interface Paint {
  strong(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  quiet(text: string): string;
}

export function paint(colours: boolean): Paint {
  const mark = (code: number) => (text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { strong: mark(1), good: mark(32), bad: mark(31), quiet: mark(2) };
}

/** Colours are for terminals, and for those who did not say otherwise (https://no-color.org). */
export function wantsColours(
  isTerminal: boolean,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return isTerminal && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
}
