import { readdirSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** Where the project lies, with a slash at the end. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Import {
  readonly specifier: string;
  /** `import type`, which leaves nothing behind in the JavaScript. */
  readonly typeOnly: boolean;
  /** The file, from the root of the project, where the specifier is a relative one. */
  readonly file: string | undefined;
}

export interface Source {
  /** From the root of the project, with slashes. */
  readonly path: string;
  readonly ast: ts.SourceFile;
  readonly imports: readonly Import[];
}

/** Every TypeScript file below a folder of the project. */
export function sourcesBelow(folder: string): Source[] {
  return readdirSync(root + folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => posix.join(entry.parentPath.slice(root.length).replaceAll('\\', '/'), entry.name))
    .sort()
    .map((path) => source(path, readFileSync(root + path, 'utf8')));
}

/** One file as its text says it is: made up by the tests that show that a rule bites. */
export function source(path: string, text: string): Source {
  const ast = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports = [...importsOf(ast)].map(({ specifier, typeOnly }) => ({
    specifier,
    typeOnly,
    file: specifier.startsWith('.') ? posix.join(dirname(path), specifier) : undefined,
  }));
  return { path, ast, imports };
}

/** A node and all that is in it; comments are not. */
export function nodesOf(node: ts.Node): ts.Node[] {
  const nodes = [node];
  ts.forEachChild(node, (child) => void nodes.push(...nodesOf(child)));
  return nodes;
}

/** `path:line` of a node, for messages that an editor can follow. */
export function place({ path, ast }: Source, node: ts.Node): string {
  return `${path}:${ast.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

function* importsOf(ast: ts.SourceFile): Generator<Omit<Import, 'file'>> {
  for (const { fileName } of ast.referencedFiles) yield { specifier: `./${fileName}`, typeOnly: true };
  for (const node of nodesOf(ast)) {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      const typeOnly = ts.isExportDeclaration(node)
        ? node.isTypeOnly
        : node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
      if (node.moduleSpecifier) yield { specifier: textOf(node.moduleSpecifier), typeOnly };
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      yield { specifier: textOf(node.argument.literal), typeOnly: true };
    } else if (ts.isCallExpression(node) && loadsModule(node.expression) && node.arguments[0]) {
      yield { specifier: textOf(node.arguments[0]), typeOnly: false };
    }
  }
}

function loadsModule(callee: ts.Expression): boolean {
  return (
    callee.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(callee) && callee.text === 'require') ||
    callee.getText() === 'require.resolve'
  );
}

/** The specifier, of a template the part that is fixed: enough to tell the package. */
function textOf(node: ts.Node): string {
  if (ts.isTemplateExpression(node)) return node.head.text;
  return ts.isStringLiteralLike(node) ? node.text : node.getText();
}
