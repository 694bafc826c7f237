import type { TestProject } from 'vitest/node';
import { newAuditFile, summaryOf } from './audit-file.mjs';

/** Vitest's global setup: adds up what was audited in all files and processes, and says it in one line at the end. */
export default function setUp(project: TestProject): () => void {
  const file = newAuditFile();
  project.provide('wireAuditFile', file);
  return () => console.log(summaryOf(file));
}
