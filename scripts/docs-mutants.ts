// Writes into docs/testing.md how soon protocols that leave a rule out are caught: `npm run docs:mutants`.
import { readFileSync, writeFileSync } from 'node:fs';
import { withMutants } from '../test/model/mutant-table.ts';
import { killMutants } from '../test/model/mutants.ts';
import { root } from './documents.mjs';

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
const document = `${root}docs/testing.md`;
writeFileSync(document, withMutants(readFileSync(document, 'utf8'), await killMutants()));
