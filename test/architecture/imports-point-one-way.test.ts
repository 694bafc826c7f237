import { describe, expect, it } from 'vitest';
import { wrongWay, wrongWayInInfra } from './layers.ts';
import { reachable } from './reachable.ts';
import { source, sourcesBelow } from './source-tree.ts';

describe('imports point one way', () => {
  it('in all of src', () => {
    expect(wrongWay(sourcesBelow('src'))).toEqual([]);
  });

  it('in all of infra', () => {
    expect(wrongWayInInfra(sourcesBelow('infra'))).toEqual([]);
  });

  it.each([
    ['a policy knows no construct', 'infra/policy/a.ts', `import { b } from '../constructs/b.ts';`],
    ['the package offers no stack', 'infra/index.ts', `export { B } from './stacks/b.ts';`],
    ['nor does a construct know one', 'infra/constructs/a.ts', `import type { B } from '../stacks/b.ts';`],
    ['a stack takes nothing from tests', 'infra/stacks/a.ts', `import { b } from '../../test/b.ts';`],
    ['nor from the programs of examples', 'infra/stacks/a.ts', `import { b } from '../../examples/b/c.ts';`],
    [
      'a construct knows no example',
      'infra/constructs/a.ts',
      `import { b } from '../../examples/b/definitions.ts';`,
    ],
    ['a new layer is decided first', 'infra/new/a.ts', ''],
  ])('in infra, %s', (_, path, text) => {
    expect(wrongWayInInfra([source(path, text)])).toHaveLength(1);
  });

  it.each(['infra/bin/app.ts', 'infra/index.ts'])(
    'and %s takes names alone from src: a stack loads no AWS SDK',
    (entry) => {
      const sources = ['infra', 'src', 'examples'].flatMap(sourcesBelow);
      const program = reachable(sources, [entry]);
      const loaded = program.flatMap(({ path, imports }) =>
        imports.filter(({ typeOnly }) => !typeOnly).map(({ specifier }) => `${path} -> ${specifier}`),
      );
      expect(loaded.filter((edge) => edge.includes('@aws-sdk/'))).toEqual([]);
      expect(loaded.join()).toContain('src/lease/sources/dynamo/lease-attributes.ts');
    },
  );

  it.each([
    ['fence imports nothing', 'src/fence/a.ts', `import '../dynamo/b.ts';`],
    ['not even a type', 'src/fence/a.ts', `import type { B } from '../dynamo/b.ts';`],
    ['nor as a type in place', 'src/fence/a.ts', `let b: import('../dynamo/b.ts').B;`],
    ['lease does not know repository', 'src/lease/a.ts', `import { b } from '../repository/b.ts';`],
    ['nor repository lease', 'src/repository/a.ts', `export { b } from '../lease/b.ts';`],
    ['nobody imports a surface', 'src/lease/a.ts', `import { b } from '../index.ts';`],
    ['also not later', 'src/dynamo/a.ts', `const b = await import('../lease/b.ts');`],
    ['the library knows no test kit', 'src/lease/a.ts', `import type { B } from '../testing/b.ts';`],
    ['the kit loads no library', 'src/testing/faults.ts', `import { b } from '../dynamo/b.ts';`],
    ['src knows no infra', 'src/lease/a.ts', `import { b } from '../../infra/b.ts';`],
    ['a new layer is decided first', 'src/new/a.ts', ''],
  ])('%s', (_, path, text) => {
    expect(wrongWay([source(path, text)])).toHaveLength(1);
  });

  it.each([
    ['down the arrows', 'src/lease/sources/a.ts', `import { b } from '../../dynamo/b.ts';`],
    ['within a layer', 'src/lease/sources/a.ts', `import { b } from '../b.ts';`],
    ['of packages', 'src/fence/a.ts', `import { hash } from 'node:crypto';`],
    ['of types by the kit', 'src/testing/faults.ts', `import type { B } from '../dynamo/b.ts';`],
    ['by the conformance suite', 'src/testing/conformance.ts', `import { b } from '../lease/b.ts';`],
  ])('allowed: %s', (_, path, text) => {
    expect(wrongWay([source(path, text)])).toEqual([]);
  });
});
