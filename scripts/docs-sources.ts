// Writes into docs/sources.md what each source does, as it was found out on real servers: `npm run docs:sources`.
import { readFileSync, writeFileSync } from 'node:fs';
import { measureSources, withSources } from '../test/docs/sources/source-table.ts';
import { root } from './documents.mjs';

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
const document = `${root}docs/sources.md`;
writeFileSync(document, withSources(readFileSync(document, 'utf8'), await measureSources()));
