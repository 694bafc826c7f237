import type { Source } from './source-tree.ts';

/**
 * Which folders of `src` a folder may import, besides itself. Arrows point one way, so the table reads
 * from the bottom up: a folder only ever names folders above its own line.
 */
const layers: Readonly<Record<string, readonly string[]>> = {
  fence: [],
  observe: ['fence'],
  sequencer: ['fence'],
  dynamo: ['fence'],
  lease: ['fence', 'dynamo'],
  repository: ['fence', 'dynamo'],
  // Its steps are values of `dynamo`, so it knows neither who plans a write nor who grants a lease.
  transaction: ['fence', 'dynamo'],
  outbox: ['fence', 'dynamo', 'lease', 'repository', 'transaction'],
  http: ['fence', 'sequencer', 'dynamo', 'lease', 'repository', 'transaction'],
  lambda: ['fence', 'dynamo', 'lease', 'repository', 'transaction', 'observe', 'http'],
  // The kit's own files are below; `index.ts` only hands them out.
  testing: [],
  // Commands for development: they may use all of it.
  cli: ['testing'],
  // The surfaces: nobody imports them.
  'kernel.ts': ['fence', 'dynamo'],
  'expressions.ts': ['dynamo'],
  'index.ts': ['fence', 'observe', 'sequencer', 'dynamo', 'lease', 'repository', 'transaction', 'outbox'],
};

/** Test kit files that may load more of the library than its types. */
const testingLayers: Readonly<Record<string, readonly string[]>> = {
  conformance: ['fence', 'lease'],
  // They wait on the library's clock, as what they are put around does.
  faults: ['fence'],
  'fault-proxy': ['fence'],
  simulate: ['fence', 'dynamo', 'lease', 'repository', 'transaction', 'outbox'],
};

/**
 * The same of `infra`, which may take names from `src` besides. What the package exports (`index.ts`) leads to no stack, since
 * stacks are of this project alone.
 */
const infraLayers: Readonly<Record<string, readonly string[]>> = {
  policy: [],
  constructs: ['policy'],
  stacks: ['policy', 'constructs'],
  bin: ['policy', 'constructs', 'stacks'],
  'index.ts': ['policy', 'constructs'],
};

/** What an example says of its tables: no code, so stacks take it from there instead of saying it again. */
const definitions = /^examples\/\w+\/definitions\.ts$/;

/** Every import of `infra` that points against the arrows, or into anything but `src`, `infra` and the definitions of the examples. */
export function wrongWayInInfra(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, imports }) => {
    const from = layerOf(path);
    const allowed = infraLayers[from];
    if (allowed === undefined) return [`${path}: the layer ${from} is not in the table of layers`];
    return imports.flatMap(({ file }) => {
      if (file === undefined || file.startsWith('src/')) return [];
      if (from === 'stacks' && definitions.test(file)) return [];
      const to = file.startsWith('infra/') ? layerOf(file) : file;
      return to === from || allowed.includes(to) ? [] : [`${path} -> ${file}: ${from} may not import ${to}`];
    });
  });
}

/** Every import that points against the arrows, as `importer -> imported: why`. */
export function wrongWay(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, imports }) => {
    const from = layerOf(path);
    const allowed = path.startsWith('src/testing/') ? testingAllowance(path) : layers[from];
    if (allowed === undefined) return [`${path}: the layer ${from} is not in the table of layers`];
    return imports.flatMap(({ file, typeOnly }) => {
      if (file === undefined) return [];
      if (!file.startsWith('src/')) return [`${path} -> ${file}: leaves src`];
      const to = layerOf(file);
      const typesOfTheLibrary = from === 'testing' && typeOnly;
      if (to === from || typesOfTheLibrary || allowed.includes(to)) return [];
      return [`${path} -> ${file}: ${from} may not import ${to}`];
    });
  });
}

function testingAllowance(path: string): readonly string[] {
  const name = path.slice('src/testing/'.length).split(/[/.]/)[0] ?? '';
  return testingLayers[name] ?? [];
}

function layerOf(path: string): string {
  return path.split('/')[1] ?? path;
}
