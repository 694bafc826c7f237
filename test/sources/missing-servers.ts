import { missing } from './installed.ts';

/** Says which tests of sources a run leaves out, and why. */
export default function sayWhatIsMissing(): void {
  if (missing.length === 0) return;
  console.log(
    `Without ${missing.join(', ')}: not installed. The tests of these token sources are skipped (see docs/sources.md#tests).`,
  );
}
