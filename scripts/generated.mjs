/**
 * Fills what lies between `<!-- name: npm run … -->` and `<!-- end of name -->`, so that what was measured stands
 * in a document as it was measured.
 *
 * @param {string} markdown
 * @param {string} name
 * @param {string} content
 * @returns {string} the document with the content in its place.
 */
export function withGenerated(markdown, name, content) {
  const begin = new RegExp(`<!-- ${name}: npm run [^>]+ -->`).exec(markdown);
  const from = begin === null ? -1 : begin.index + begin[0].length;
  const to = markdown.indexOf(`<!-- end of ${name} -->`, from);
  if (from < 0 || to < 0) {
    throw new Error(
      `the document has no «<!-- ${name}: npm run … -->» and, later, «<!-- end of ${name} -->»`,
    );
  }
  return `${markdown.slice(0, from)}\n\n${content}\n\n${markdown.slice(to)}`;
}

/**
 * A table, with its columns aligned in the source too.
 *
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 * @returns {string}
 */
export function markdownTable(head, rows) {
  const escaped = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...escaped.map((row) => row[column]?.length ?? 0)),
  );
  /** @param {readonly string[]} cells */
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...escaped.map(line)].join('\n');
}
