import { isBuiltin } from 'node:module';
import { describe, expect, it } from 'vitest';
import { reachable } from '../architecture/reachable.ts';
import { type Source, source, sourcesBelow } from '../architecture/source-tree.ts';
import { type Manifest, manifest } from './manifest.ts';

/** Which optional dependencies a folder may import, since who loads it has asked for them. */
const optionalFor: Readonly<Record<string, readonly string[]>> = {
  'src/testing/': ['dynalite'],
  'infra/': ['aws-cdk-lib', 'constructs'],
};

/** Imports, also of types alone, that a user's `npm install` would not satisfy. */
function unpromised(sources: readonly Source[], { dependencies = {}, ...rest }: Manifest): string[] {
  return sources.flatMap(({ path, imports }) =>
    imports.flatMap(({ specifier, file }) => {
      if (file !== undefined || isBuiltin(specifier)) return [];
      const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
      if (name in dependencies) return [];
      if (!(name in rest.peerDependencies)) return [`${path}: ${name} is no dependency`];
      const optional = rest.peerDependenciesMeta[name]?.optional ?? false;
      const folder = Object.keys(optionalFor).find((it) => path.startsWith(it)) ?? '';
      return optional && !optionalFor[folder]?.includes(name) ? [`${path}: ${name} may be absent`] : [];
    }),
  );
}

describe('whoever installs the package has what it imports', () => {
  it('in all of src', () => {
    expect(unpromised(sourcesBelow('src'), manifest)).toEqual([]);
  });

  it('in what ./cdk leads to', () => {
    const published = reachable([...sourcesBelow('infra'), ...sourcesBelow('src')], ['infra/index.ts']);
    expect(published.length).toBeGreaterThan(5);
    expect(unpromised(published, manifest)).toEqual([]);
  });

  it.each([
    ['a development dependency', 'src/lease/a.ts', `import type { ZodType } from 'zod';`],
    ['a dependency of a dependency', 'src/dynamo/a.ts', `import { marshall } from '@aws-sdk/util-dynamodb';`],
    ['what only the test kit needs', 'src/dynamo/a.ts', `import dynalite from 'dynalite';`],
    ['the CDK in the library', 'src/lease/a.ts', `import type { Stack } from 'aws-cdk-lib';`],
    [
      'what only the test kit needs, in constructs',
      'infra/constructs/a.ts',
      `import dynalite from 'dynalite';`,
    ],
    ['an optional one', 'src/dynamo/a.ts', `import type { A } from '@aws-sdk/lib-dynamodb';`],
  ])('refuses %s', (_, path, text) => {
    expect(unpromised([source(path, text)], manifest)).toHaveLength(1);
  });

  it.each([
    ['of Node', 'src/fence/a.ts', `import { hash } from 'node:crypto';`],
    ['of the AWS SDK', 'src/dynamo/a.ts', `import { DynamoDBClient } from '@aws-sdk/client-dynamodb';`],
    ['of the CDK by a construct', 'infra/constructs/a.ts', `import { Stack } from 'aws-cdk-lib';`],
    ['of dynalite by the test kit', 'src/testing/a.ts', `import checks from 'dynalite/validations';`],
  ])('lets an import %s pass', (_, path, text) => {
    expect(unpromised([source(path, text)], manifest)).toEqual([]);
  });
});
