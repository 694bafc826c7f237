import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { root } from '../architecture/source-tree.ts';
import { protocolRequests } from './protocol-requests.ts';

/** The blocks of a document after `<!-- request: name -->`, by name, without white space. */
function shownRequests(markdown: string): Record<string, string> {
  const blocks = markdown.matchAll(/<!-- request: (?<name>[^>]+?) -->\s*```text\n(?<text>[\s\S]*?)\n```/g);
  return Object.fromEntries(
    [...blocks].map(({ groups }) => [groups?.name ?? '', (groups?.text ?? '').replace(/\s+/g, '')]),
  );
}

const shown = shownRequests(readFileSync(`${root}docs/design.md`, 'utf8'));

it('docs/design.md shows every request, and no other', () => {
  expect(Object.keys(shown).sort()).toEqual(Object.keys(protocolRequests).sort());
});

it.each(Object.entries(protocolRequests))(
  '%s: docs/design.md shows what the code builds',
  (name, request) => {
    expect(shown[name]).toBe(request.replace(/\s+/g, ''));
  },
);
