import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { CopyOutcome } from '../../src/dynamo/send.ts';
import { root } from '../architecture/source-tree.ts';
import { protocolRequests } from './protocol-requests.ts';

/** The blocks of a document after `<!-- request: name -->`, by name, without white space. */
function shownRequests(markdown: string): Record<string, string> {
  const blocks = markdown.matchAll(/<!-- request: (?<name>[^>]+?) -->\s*```text\n(?<text>[\s\S]*?)\n```/g);
  return Object.fromEntries(
    [...blocks].map(({ groups }) => [groups?.name ?? '', (groups?.text ?? '').replace(/\s+/g, '')]),
  );
}

const page = readFileSync(`${root}docs/design.md`, 'utf8');
const shown = shownRequests(page);

it('docs/design.md shows every request, and no other', () => {
  expect(Object.keys(shown).sort()).toEqual(Object.keys(protocolRequests).sort());
});

it.each(Object.entries(protocolRequests))(
  '%s: docs/design.md shows what the code builds',
  (name, request) => {
    expect(shown[name]).toBe(request.replace(/\s+/g, ''));
  },
);

it('docs/design.md says of every way in which a copy can end what follows', () => {
  const kinds: Readonly<Record<CopyOutcome['is'], true>> = {
    done: true,
    refused: true,
    throttled: true,
    conflict: true,
    'in-progress': true,
    misdated: true,
    'never-left': true,
    unsendable: true,
    withdrawn: true,
    fault: true,
    undecided: true,
  };
  const [, table = ''] = page.split('| kind | a copy ended with |');
  const rows = table.slice(0, table.indexOf('\n\n')).matchAll(/^\| (?<kinds>[^|]+) \|/gm);
  const told = [...rows].flatMap(({ groups }) => [...(groups?.kinds ?? '').matchAll(/`([^`]+)`/g)]);
  expect(told.map(([, kind]) => kind).sort()).toEqual(Object.keys(kinds).sort());
});

it('docs/design.md says what each folder of the code is for', () => {
  const section = page.slice(page.indexOf('\n## The code\n'));
  const folders = readdirSync(`${root}src`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const unnamed = folders.map(({ name }) => name).filter((name) => !section.includes(`\`src/${name}\``));
  expect(unnamed).toEqual([]);
});
