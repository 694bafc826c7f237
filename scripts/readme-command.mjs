// Prints a command of the README by the name in its marker: `node scripts/readme-command.mjs test`. It needs
// nothing installed, because the commands themselves install what they need.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const readme = fileURLToPath(new URL('../README.md', import.meta.url));

/**
 * @param {string} name
 * @param {string} [markdown]
 * @returns {string} the one line of the block after `<!-- command: name -->`.
 */
export function readmeCommand(name, markdown = readFileSync(readme, 'utf8')) {
  const block = new RegExp(`<!-- command: ${name} -->\\s*\\n\`\`\`sh\\n(?<lines>[\\s\\S]*?)\\n\`\`\``).exec(
    markdown,
  );
  const line = block?.groups?.lines;
  if (line === undefined || line.trim() === '' || line.includes('\n')) {
    throw new Error(`README.md needs one line of sh after <!-- command: ${name} -->`);
  }
  return line;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(readmeCommand(process.argv[2] ?? ''));
