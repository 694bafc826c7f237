// Writes into docs/costs.md what every step costs, as the engines count it: `npm run docs:costs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { withCosts } from '../test/docs/costs/cost-tables.ts';
import { measureEngines } from '../test/docs/costs/measure-engines.ts';
import { root } from './documents.mjs';

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
const document = `${root}docs/costs.md`;
writeFileSync(document, withCosts(readFileSync(document, 'utf8'), await measureEngines()));
