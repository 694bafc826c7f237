import { posix } from 'node:path';
import GithubSlugger from 'github-slugger';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString as textOf } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';

/** The text of a file of the project, `''` for a folder, undefined where there is neither. */
export type Read = (path: string) => string | undefined;

/** The anchors that a document offers: its headings as GitHub names them, and what HTML names. */
export function anchorsOf(markdown: string): Set<string> {
  const slugger = new GithubSlugger();
  const anchors = new Set<string>();
  const tree = fromMarkdown(markdown);
  visit(tree, 'heading', (heading) => void anchors.add(slugger.slug(textOf(heading))));
  visit(tree, 'html', ({ value }) => {
    for (const [, id] of value.matchAll(/\b(?:id|name)="([^"]+)"/g)) anchors.add(id!);
  });
  return anchors;
}

const known = new Map<string, Set<string>>();

/** The same, read once: many links lead to one page. */
function anchorsOfPage(markdown: string): Set<string> {
  const anchors = known.get(markdown) ?? anchorsOf(markdown);
  known.set(markdown, anchors);
  return anchors;
}

/** Links of a document that lead nowhere within the project, as `document:line target`. */
export function brokenLinks(document: string, read: Read): string[] {
  const broken: string[] = [];
  visit(fromMarkdown(read(document) ?? ''), (node) => {
    if (node.type !== 'link' && node.type !== 'image' && node.type !== 'definition') return;
    if (/^[a-z][a-z0-9+.-]*:/i.test(node.url)) return;
    if (!leadsSomewhere(document, node.url, read)) {
      broken.push(`${document}:${node.position?.start.line} ${node.url}`);
    }
  });
  return broken;
}

function leadsSomewhere(document: string, url: string, read: Read): boolean {
  const [path = '', anchor] = decodeURI(url).split('#');
  const target = path === '' ? document : posix.join(posix.dirname(document), path);
  if (target.startsWith('..') || path.startsWith('/')) return false;
  const text = read(target);
  return text !== undefined && (anchor === undefined || anchorsOfPage(text).has(anchor));
}
