import { markdownTable, withGenerated } from '../../../scripts/generated.mjs';
import { type Findings, measureSource } from './measure-sources.ts';
import { tabledSources } from './running-sources.ts';

/** What was found out, by the title of the source. */
export type SourceFindings = Readonly<Record<string, Findings>>;

/** All at the same time: what takes time is that leases end, and waiting for it. */
export async function measureSources(): Promise<SourceFindings> {
  const found = tabledSources.map(async (tabled) => [tabled.title, await measureSource(tabled)] as const);
  return Object.fromEntries(await Promise.all(found));
}

/** docs/sources.md with the table in its place. */
export function withSources(document: string, sources: SourceFindings): string {
  const properties = Object.keys(Object.values(sources)[0] ?? {});
  const rows = properties.map((property) => [
    property,
    ...Object.values(sources).map((findings) => findings[property] ?? ''),
  ]);
  return withGenerated(document, 'what sources do', markdownTable(['', ...Object.keys(sources)], rows));
}
