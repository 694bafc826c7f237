// Writes into README.md and docs/ what their quote markers name: `npm run docs:quote`.
import { readFileSync, writeFileSync } from 'node:fs';
import { documents, root } from './documents.mjs';
import { withQuotes } from './quotes.mjs';

for (const document of documents()) {
  const before = readFileSync(root + document, 'utf8');
  const after = withQuotes(before, (file) => readFileSync(root + file, 'utf8'));
  if (after === before) continue;
  writeFileSync(root + document, after);
  console.log(`${document}: updated`);
}
