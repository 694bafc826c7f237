import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * The file in which all processes of a run write down what the library sent. A line is either counts by operation,
 * or a fault with the program whose it is.
 */

/** The environment variable that tells a process which file that is. */
export const auditFileVariable = 'WIRE_AUDIT_FILE';

/** @returns {string} a new one, empty */
export function newAuditFile() {
  const file = join(mkdtempSync(join(tmpdir(), 'wire-audit-')), 'requests');
  writeFileSync(file, '');
  return file;
}

/**
 * @param {string} file
 * @param {Readonly<Record<string, number>> | { readonly fault: string, readonly program: string }} line
 */
export function writeDown(file, line) {
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/**
 * Adds up the file, and removes it.
 *
 * @param {string} file
 * @returns {{ counts: Record<string, number>, faults: string[] }}
 */
export function closeAuditFile(file) {
  /** @type {Record<string, number>} */
  const counts = {};
  const faults = [];
  for (const text of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const { fault, program, ...sent } = JSON.parse(text);
    if (fault !== undefined) faults.push(`${program}: ${fault}`);
    for (const [op, count] of Object.entries(sent)) counts[op] = (counts[op] ?? 0) + count;
  }
  rmSync(join(file, '..'), { recursive: true });
  return { counts, faults };
}

/**
 * Says in one line what was audited, and closes the file.
 *
 * @param {string} file
 * @throws where a request broke the rules, also where the program that sent it did not mind.
 */
export function summaryOf(file) {
  const { counts, faults } = closeAuditFile(file);
  if (faults.length > 0) throw new Error(`The library must not send this:\n${faults.join('\n')}`);
  const { simulated = 0, ...sent } = counts;
  const sum = Object.values(sent).reduce((a, b) => a + b, 0);
  const more = simulated > 0 ? `, and ${simulated} simulated ones` : '';
  return `Audited ${sum} requests of the library: ${JSON.stringify(sent)}${more}`;
}
