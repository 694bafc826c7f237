import { describe, expect, it } from 'vitest';
import { wrongWay } from './layers.ts';
import { reachable } from './reachable.ts';
import { source, sourcesBelow } from './source-tree.ts';

describe('imports point one way', () => {
  it('in all of src', () => {
    expect(wrongWay(sourcesBelow('src'))).toEqual([]);
  });

  it('and infra takes names alone from src: a stack loads no AWS SDK', () => {
    const program = reachable([...sourcesBelow('infra'), ...sourcesBelow('src')], ['infra/bin/app.ts']);
    const loaded = program.flatMap(({ path, imports }) =>
      imports.filter(({ typeOnly }) => !typeOnly).map(({ specifier }) => `${path} -> ${specifier}`),
    );
    expect(loaded.filter((edge) => edge.includes('@aws-sdk/'))).toEqual([]);
    expect(loaded.join()).toContain('src/lease/sources/dynamo/lease-attributes.ts');
  });

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
