import { fromMarkdown } from 'mdast-util-from-markdown';
import { visit } from 'unist-util-visit';

// <!-- quote examples/quick-start.ts --> the whole file, <!-- quote examples/quick-start.ts#claim --> a region.
const marker = /^<!--\s*quote\s+(?<file>[^\s#]+)(?:#(?<region>\S+))?\s*-->$/;
const regionLine = /^\s*\/\/ #(?:end)?region\b.*$/;

/**
 * Fills the code block after every quote marker with what it quotes, so that the code in the docs is code
 * that is compiled and run.
 *
 * @param {string} markdown
 * @param {(file: string) => string} read gives the text of a file, by its path from the root of the project.
 * @returns {string} the same text with up-to-date blocks.
 */
export function withQuotes(markdown, read) {
  /** @type {{ start: number, end: number, text: string }[]} */
  const edits = [];
  visit(fromMarkdown(markdown), 'html', (node, index, parent) => {
    const quote = marker.exec(node.value)?.groups;
    if (quote === undefined || index === undefined || parent === undefined) return;
    const { file = '', region } = quote;
    const code = region === undefined ? wholeFile(read(file)) : regionOf(read(file), region, file);
    const block = `\`\`\`${file.slice(file.lastIndexOf('.') + 1)}\n${code}\n\`\`\``;
    const next = parent.children[index + 1];
    const after = node.position?.end.offset ?? 0;
    edits.push(
      next?.type === 'code' && next.position
        ? { start: next.position.start.offset ?? 0, end: next.position.end.offset ?? 0, text: block }
        : { start: after, end: after, text: `\n\n${block}` },
    );
  });
  // From the back, so that the offsets of the earlier edits stay right.
  return edits.reduceRight(
    (text, { start, end, text: block }) => text.slice(0, start) + block + text.slice(end),
    markdown,
  );
}

/**
 * The code blocks that are TypeScript or JavaScript but quote nothing, and so may be wrong.
 *
 * @param {string} markdown
 * @returns {number[]} their lines.
 */
export function unquotedCode(markdown) {
  /** @type {number[]} */
  const lines = [];
  visit(fromMarkdown(markdown), 'code', (node, index, parent) => {
    if (!/^(ts|mts|tsx|typescript|js|mjs|jsx|javascript)$/.test(node.lang ?? '')) return;
    const before = parent?.children[(index ?? 0) - 1];
    if (before?.type === 'html' && marker.test(before.value)) return;
    lines.push(node.position?.start.line ?? 0);
  });
  return lines;
}

/** @param {string} text */
function wholeFile(text) {
  return text
    .split('\n')
    .filter((line) => !regionLine.test(line))
    .join('\n')
    .trim();
}

/**
 * @param {string} text
 * @param {string} region
 * @param {string} file
 */
function regionOf(text, region, file) {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.trim() === `// #region ${region}`);
  const end = lines.findIndex((line) => line.trim() === `// #endregion ${region}`);
  if (start < 0 || end < start) {
    throw new Error(`${file} has no lines «// #region ${region}» and, later, «// #endregion ${region}»`);
  }
  const body = lines.slice(start + 1, end).filter((line) => !regionLine.test(line));
  const indent = Math.min(...body.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)));
  return body
    .map((line) => line.slice(indent))
    .join('\n')
    .trim();
}
