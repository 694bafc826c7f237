import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/** Vitest's global setup: adds up what wire-audit.ts has seen in all files, and says it in one line at the end. */
export default function summarise(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'wire-audit-'));
  const file = join(folder, 'counts');
  writeFileSync(file, '');
  project.provide('wireAuditFile', file);

  return () => {
    const total: Record<string, number> = {};
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      for (const [op, count] of Object.entries<number>(JSON.parse(line)))
        total[op] = (total[op] ?? 0) + count;
    }
    rmSync(folder, { recursive: true });
    const sum = Object.values(total).reduce((a, b) => a + b, 0);
    if (sum > 0) console.log(`Audited ${sum} requests of the library: ${JSON.stringify(total)}`);
  };
}
