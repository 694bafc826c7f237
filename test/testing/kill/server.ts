// A local DynamoDB on disk, to be killed. Prints its endpoint once it listens.
import { startLocalDynamoDB } from '../../../src/testing/index.ts';

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('Which folder?');
const db = await startLocalDynamoDB({ path, port: 0 });
process.stdout.write(`${db.endpoint}\n`);
// Ends with the test, however the test ends.
process.stdin.on('end', () => process.exit()).resume();
