import ts from 'typescript';
import { nodesOf, place, type Source } from './source-tree.ts';

/** The one file that may ask the machine, by what it asks for. Everybody else is handed a `Clock` or `Random`. */
const clock = 'src/fence/clock.ts';
const random = 'src/fence/random.ts';

const owners = new Map([
  ['Date.now', clock],
  ['new Date()', clock],
  ['performance.now', clock],
  ['process.hrtime', clock],
  ['AbortSignal.timeout', clock],
  ['setTimeout', clock],
  ['setInterval', clock],
  ['setImmediate', clock],
  ['node:timers', clock],
  ['node:timers/promises', clock],
  ['Math.random', random],
  ['randomBytes', random],
  ['randomUUID', random],
  ['randomInt', random],
  ['getRandomValues', random],
]);

/** Every place that reads a clock, waits or draws lots by itself, as `path:line what`. */
export function unownedTimeAndChance(sources: readonly Source[]): string[] {
  return sources.flatMap((file) =>
    nodesOf(file.ast).flatMap((node) => {
      const asked = asksFor(node);
      const owner = owners.get(asked ?? '');
      return owner === undefined || owner === file.path
        ? []
        : [`${place(file, node)} ${asked}: only ${owner} may`];
    }),
  );
}

function asksFor(node: ts.Node): string | undefined {
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length) {
    return 'new Date()';
  }
  if (ts.isPropertyAccessExpression(node)) return node.getText();
  if (ts.isIdentifier(node) || ts.isStringLiteral(node)) return node.text;
  return undefined;
}
